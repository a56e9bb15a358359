/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_service.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "wait.h"

static bool has(struct evhttp_request *request, const char *header, const char *value)
{
	const char *got = evhttp_find_header(evhttp_request_get_input_headers(request), header);

	return got && strcmp(got, value) == 0;
}

static const struct service_answer *find(const struct service *service, const char *path)
{
	for (const struct service_answer *answer = service->answers; answer->path; answer++)
		if (strcmp(answer->path, path) == 0)
			return answer;
	return NULL;
}

static void reply(struct evhttp_request *request, int status, const char *text)
{
	struct evbuffer *body = evbuffer_new();

	evbuffer_add(body, text, strlen(text));
	evhttp_send_reply(request, status, "x", body);
	evbuffer_free(body);
}

/* As IMDSv2: a token by PUT, and nothing without it. */
static bool is_let_in(struct service *service, struct evhttp_request *request)
{
	const char *path = evhttp_request_get_uri(request);

	if (strcmp(service->provider, "gcp") == 0) {
		if (!service->is_silent)
			evhttp_add_header(evhttp_request_get_output_headers(request),
					  "metadata-flavor", "Google");
		if (has(request, "Metadata-Flavor", "Google"))
			return true;
		reply(request, 403, "");
		return false;
	}
	if (strcmp(path, "/latest/api/token") == 0) {
		bool put = evhttp_request_get_command(request) == EVHTTP_REQ_PUT &&
			   has(request, "X-aws-ec2-metadata-token-ttl-seconds", "21600");

		reply(request, put ? 200 : 400, put ? service->token : "");
		return false;
	}
	if (has(request, "X-aws-ec2-metadata-token", service->token))
		return true;
	reply(request, 401, "");
	return false;
}

static void on_request(struct evhttp_request *request, void *context)
{
	struct service *service = context;
	const char *path = evhttp_request_get_uri(request);
	const struct service_answer *answer = find(service, path);

	buffer_printf(&service->asked, "%s %s\n",
		      evhttp_request_get_command(request) == EVHTTP_REQ_PUT ? "PUT" : "GET", path);
	if (!is_let_in(service, request))
		return;
	if (answer)
		reply(request, 200, answer->text);
	else
		reply(request, 404, "<html>no such thing</html>");
}

static void on_event(struct bufferevent *connection, short what, void *context)
{
	if (what & (BEV_EVENT_EOF | BEV_EVENT_ERROR))
		bufferevent_free(connection);
}

static void on_connection(struct evconnlistener *listener, evutil_socket_t fd,
			  struct sockaddr *from, int len, void *context)
{
	struct service *service = context;
	struct bufferevent *connection =
		bufferevent_socket_new(service->base, fd, BEV_OPT_CLOSE_ON_FREE);

	service->connections++;
	bufferevent_setcb(connection, NULL, NULL, on_event, NULL);
	bufferevent_enable(connection, EV_READ | EV_WRITE);
	bufferevent_write(connection, service->bytes, strlen(service->bytes));
}

void service_start(struct service *service)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(address);
	evutil_socket_t fd;

	service->base = event_base_new();
	buffer_init(&service->asked, 1 << 20);
	if (service->bytes) {
		service->listener =
			evconnlistener_new_bind(service->base, on_connection, service,
						LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 16,
						(struct sockaddr *)&address, sizeof(address));
		assert_non_null(service->listener);
		fd = evconnlistener_get_fd(service->listener);
	} else {
		service->http = evhttp_new(service->base);
		evhttp_set_allowed_methods(service->http, EVHTTP_REQ_GET | EVHTTP_REQ_PUT);
		evhttp_set_gencb(service->http, on_request, service);
		struct evhttp_bound_socket *bound =
			evhttp_bind_socket_with_handle(service->http, "127.0.0.1", 0);
		assert_non_null(bound);
		fd = evhttp_bound_socket_get_fd(bound);
	}
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &len), 0);
	(void)snprintf(service->url, sizeof(service->url), "http://127.0.0.1:%u",
		       ntohs(address.sin_port));
}

void service_stop(struct service *service)
{
	metadata_free(service->metadata);
	if (service->http)
		evhttp_free(service->http);
	if (service->listener)
		evconnlistener_free(service->listener);
	event_base_loop(service->base, EVLOOP_NONBLOCK); /* connections end */
	event_base_free(service->base);
	buffer_clear(&service->asked);
}

static void on_changed(void *context)
{
	struct service *service = context;

	service->changes++;
}

static void on_notice(const struct metadata_notice *notice, void *context)
{
	struct service *service = context;

	service->notices++;
	service->notice = *notice;
}

void service_ask(struct service *service, const char *cloud, const char *provider, const char *root)
{
	const struct metadata_options options = {
		.cloud = cloud, .provider = provider, .url = service->url, .root = root
	};
	const struct metadata_listener listener = { on_changed, on_notice, service };
	struct error words = { 0 };

	if (metadata_new(&service->metadata, service->base, &options, &listener, &words) < 0)
		fail_msg("%s", error_text(&words));
}

void service_tick(struct service *service, uint64_t now_s)
{
	metadata_tick(service->metadata, now_s * NS_PER_S);
	WAIT_DOING(!metadata_status(service->metadata).asking,
		   event_base_loop(service->base, EVLOOP_ONCE), "the last answer");
}
