/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/agent/control.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/json.h"

#define BACKLOG      16
#define TIMEOUT_S    5
#define HEADER_BYTES 8192
#define ANSWER_BYTES (64u << 10)

struct control {
	struct evhttp *http;
	struct sockaddr_un address;
	control_status *status;
	void *context;
};

static bool is_allowed(struct evhttp_request *request)
{
	struct bufferevent *bufferevent =
		evhttp_connection_get_bufferevent(evhttp_request_get_connection(request));
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (getsockopt(bufferevent_getfd(bufferevent), SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
		return false;
	return peer.uid == 0 || peer.uid == geteuid();
}

static void answer_status(struct evhttp_request *request, void *context)
{
	struct control *control = context;
	struct buffer text;
	struct json json;

	if (!is_allowed(request)) {
		evhttp_send_error(request, 403, "Forbidden");
		return;
	}
	buffer_init(&text, ANSWER_BYTES);
	json_init(&json, &text, false);
	json_object_begin(&json);
	control->status(&json, control->context);
	json_object_end(&json);
	if (text.failed) {
		evhttp_send_error(request, HTTP_INTERNAL, "Internal Server Error");
	} else {
		evhttp_add_header(evhttp_request_get_output_headers(request), "Content-Type",
				  "application/json");
		evbuffer_add(evhttp_request_get_output_buffer(request), text.data, text.len);
		evhttp_send_reply(request, HTTP_OK, "OK", NULL);
	}
	buffer_clear(&text);
}

static int listen_at(const struct sockaddr_un *address)
{
	CLEANUP(closep)
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	mode_t mask;
	int result;

	if (fd < 0)
		return -errno;
	unlink(address->sun_path);
	mask = umask(0177);
	result = bind(fd, (const struct sockaddr *)address, sizeof(*address));
	umask(mask);
	if (result < 0 || listen(fd, BACKLOG) < 0)
		return -errno;
	return TAKE_FD(fd);
}

static int serve(struct control *control, struct event_base *base)
{
	CLEANUP(closep) int fd = listen_at(&control->address);
	struct evconnlistener *listener;

	if (fd < 0)
		return fd;
	control->http = evhttp_new(base);
	if (!control->http)
		return -ENOMEM;
	evhttp_set_timeout(control->http, TIMEOUT_S);
	evhttp_set_max_headers_size(control->http, HEADER_BYTES);
	evhttp_set_max_body_size(control->http, 0);
	evhttp_set_allowed_methods(control->http, EVHTTP_REQ_GET);
	evhttp_set_cb(control->http, "/status", answer_status, control);
	listener = evconnlistener_new(base, NULL, NULL,
				      LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0, fd);
	if (!listener)
		return -ENOMEM;
	(void)TAKE_FD(fd);
	if (!evhttp_bind_listener(control->http, listener)) {
		evconnlistener_free(listener);
		return -ENOMEM;
	}
	return 0;
}

int control_open(struct control **ret, struct event_base *base, const char *path,
		 control_status *status, void *context, struct error *err)
{
	struct control *control;
	int result;

	if (strlen(path) >= sizeof(control->address.sun_path))
		return error_set(err, -EINVAL,
				 "%s is too long for a socket (%zu bytes at most): choose a "
				 "shorter state folder",
				 path, sizeof(control->address.sun_path) - 1);
	control = calloc(1, sizeof(*control));
	if (!control)
		return error_set(err, -ENOMEM, "no memory for the control socket");
	control->address.sun_family = AF_UNIX;
	memcpy(control->address.sun_path, path, strlen(path));
	control->status = status;
	control->context = context;
	result = serve(control, base);
	if (result < 0) {
		control_close(control);
		return error_set(err, result, "cannot listen on %s: %s", path, strerror(-result));
	}
	*ret = control;
	return 0;
}

void control_close(struct control *control)
{
	if (!control)
		return;
	if (control->http)
		evhttp_free(control->http);
	unlink(control->address.sun_path);
	free(control);
}
