/* SPDX-License-Identifier: Apache-2.0 */
#include "base/http/http.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <event2/event.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/http/http_dial.h"
#include "base/http/http_file.h"
#include "base/http/http_parser.h"
#include "base/http/http_tls.h"
#include "base/utf8.h"

#define REQUEST_LIMIT   (64u << 20)
#define DEFAULT_TIMEOUT (30 * NS_PER_S)

struct http_client {
	struct event_base *base;
	struct http_url url;
	char *token, *encoding, *header, *answer_header;
	size_t response_limit;
	struct timeval timeout;
	SSL_CTX *tls;
	struct http_tls_words tls_words; /* of the connection's session */
	struct event *timer;             /* of the request */
	struct http_dial *dial;
	struct bufferevent *connection; /* kept between requests where the server allows */
	struct buffer request;          /* all bytes of it, kept until the response is complete */
	struct http_parser parser;
	bool busy, reused, answered;  /* answered: the first byte of the response came */
	const struct http_file *file; /* of the body; NULL: it is in request */
	uint64_t sent;                /* of the file */
	http_done *done;
	void *context;
};

static void drop_connection(struct http_client *client)
{
	http_dial_free(TAKE_PTR(client->dial));
	if (client->connection)
		bufferevent_free(TAKE_PTR(client->connection));
}

/* Ends the request. The client may be gone when this returns. */
static void finish(struct http_client *client, int error, const struct error *words)
{
	struct http_response response = { .error = error };
	struct http_parser parser = client->parser;
	http_done *done = client->done;
	void *context = client->context;
	if (error != 0 || !parser.keep_alive)
		drop_connection(client);
	if (error != 0 && words)
		response.words = *words;
	if (error == 0) {
		response.status = parser.status;
		response.retry_after_s = parser.retry_after_s;
		response.body = parser.body.data;
		response.body_len = parser.body.len;
	}
	event_del(client->timer);
	buffer_clear(&client->request);
	http_parser_init(&client->parser, client->response_limit, false);
	client->busy = false;
	done(&response, context);
	http_parser_clear(&parser);
}

static void on_dialed(int fd, const struct error *words, void *context);

/* The connection broke. If it had served a request before and no byte of this response came, the
 * server closed it between two requests: the request is sent again on a new connection. */
static void fail(struct http_client *client, int error, const struct error *words)
{
	if (client->reused && !client->answered) {
		drop_connection(client);
		client->reused = false;
		error = http_dial_start(&client->dial, client->base, &client->url, on_dialed,
					client);
		if (error == 0)
			return;
	}
	finish(client, error, words);
}

static void on_read(struct bufferevent *connection, void *context)
{
	struct http_client *client = context;
	struct evbuffer *input = bufferevent_get_input(connection);
	struct error words = { 0 };
	int rc = 0;
	if (!client->busy) { /* no request */
		drop_connection(client);
		return;
	}
	while (rc == 0 && evbuffer_get_length(input) > 0) {
		size_t used = 0, len = evbuffer_get_contiguous_space(input);
		const char *bytes = (const char *)evbuffer_pullup(input, (ev_ssize_t)len);
		client->answered = true;
		rc = http_parser_feed(&client->parser, bytes, len, &used, &words);
		evbuffer_drain(input, used);
	}
	if (rc == 1 && evbuffer_get_length(input) > 0)
		client->parser.keep_alive =
			false; /* bytes after the response: the server is out of step */
	if (rc != 0)
		finish(client, rc < 0 ? rc : 0, &words);
}

/* Writes why the connection broke. Returns the code of it. */
static int describe_break(struct http_client *client, short what, struct error *words)
{
	int code = EVUTIL_SOCKET_ERROR();
	SSL *session = bufferevent_openssl_get_ssl(client->connection);
	unsigned long tls_code = session ? bufferevent_get_openssl_error(client->connection) : 0;
	if (session && (tls_code != 0 || SSL_get_verify_result(session) != X509_V_OK))
		return http_tls_error(session, tls_code, &client->tls_words, words);
	if ((what & BEV_EVENT_ERROR) && code != 0)
		return error_set(words, -ECONNRESET, "the connection broke: %s",
				 evutil_socket_error_to_string(code));
	return error_set(words, -ECONNRESET, "the connection was closed before an answer");
}

static void on_event(struct bufferevent *connection, short what, void *context)
{
	struct http_client *client = context;
	struct error words = { 0 };
	if (what & BEV_EVENT_CONNECTED)
		return;
	if (!client->busy) {
		drop_connection(client);
		return;
	}
	if ((what & BEV_EVENT_EOF) && client->answered) {
		int rc = http_parser_end(&client->parser, &words);
		finish(client, rc < 0 ? rc : 0, &words);
		return;
	}
	fail(client, describe_break(client, what, &words), &words);
}

static void on_timeout(int fd, short what, void *context)
{
	struct http_client *client = context;
	struct error words;
	const char *where = client->url.local ? client->url.socket : client->url.host;
	error_set(&words, -ETIMEDOUT, "%s did not answer within %lld ms", where,
		  (long long)client->timeout.tv_sec * 1000 + client->timeout.tv_usec / 1000);
	finish(client, -ETIMEDOUT, &words);
}

/* All that was given to the connection is on its way. */
static void on_drained(struct bufferevent *connection, void *context)
{
	struct http_client *client = context;
	struct error words = { 0 };
	int rc = client->busy && client->file
			 ? http_file_send(client->file, &client->sent, connection, &words)
			 : 0;
	if (rc != 0)
		finish(client, rc, &words);
}

static void write_request(struct http_client *client)
{
	client->sent = 0;
	bufferevent_write(client->connection, client->request.data, client->request.len);
}

static void on_dialed(int fd, const struct error *words, void *context)
{
	struct http_client *client = context;
	struct error tls_words;
	http_dial_free(TAKE_PTR(client->dial));
	if (fd < 0) {
		finish(client, fd, words);
		return;
	}
	SSL *session = client->tls ? http_tls_session(client->tls, &client->url, &client->tls_words)
				   : NULL;
	if (session)
		client->connection = bufferevent_openssl_socket_new(client->base, fd, session,
								    BUFFEREVENT_SSL_CONNECTING,
								    BEV_OPT_CLOSE_ON_FREE);
	else if (!client->tls)
		client->connection =
			bufferevent_socket_new(client->base, fd, BEV_OPT_CLOSE_ON_FREE);
	if (!client->connection) {
		SSL_free(session);
		close(fd);
		error_set(&tls_words, -ENOMEM, "no memory for a connection");
		finish(client, -ENOMEM, &tls_words);
		return;
	}
	bufferevent_setcb(client->connection, on_read, on_drained, on_event, client);
	bufferevent_enable(client->connection, EV_READ | EV_WRITE);
	write_request(client);
}

static void write_head(struct http_client *client, const char *method, const char *path,
		       const char *type, size_t len)
{
	struct buffer *out = &client->request;
	const struct http_url *url = &client->url;
	bool usual = url->port == (url->tls ? 443 : 80);
	buffer_printf(out, "%s %s%s HTTP/1.1\r\n", method, url->path, path);
	buffer_printf(out, url->host_is_ip6 ? "Host: [%s]" : "Host: %s", url->host);
	if (!usual)
		buffer_printf(out, ":%u", url->port);
	buffer_append_text(out, "\r\nUser-Agent: tracer/" TRACER_VERSION "\r\n");
	if (client->token)
		buffer_printf(out, "Authorization: Bearer %s\r\n", client->token);
	if (client->header)
		buffer_printf(out, "%s\r\n", client->header);
	if (type) {
		uint64_t bytes = client->file ? client->file->bytes : len;
		buffer_printf(out, "Content-Type: %s\r\nContent-Length: %" PRIu64 "\r\n", type,
			      bytes);
		if (client->encoding)
			buffer_printf(out, "Content-Encoding: %s\r\n", client->encoding);
	}
	buffer_append_text(out, "\r\n");
}

int http_client_send(struct http_client *client, const char *method, const char *path,
		     const char *type, const void *body, size_t len, http_done *done, void *context)
{
	if (client->busy)
		return -EBUSY;
	if (path[0] != '/' || !http_text_is_plain(path))
		return -EINVAL;
	buffer_init(&client->request, REQUEST_LIMIT);
	write_head(client, method, path, type, len);
	if (type && !client->file)
		buffer_append(&client->request, body, len);
	if (client->request.failed) {
		buffer_clear(&client->request);
		return -ENOMEM;
	}
	if (!client->connection &&
	    http_dial_start(&client->dial, client->base, &client->url, on_dialed, client) != 0) {
		buffer_clear(&client->request);
		return -ENOMEM;
	}
	http_parser_clear(&client->parser);
	http_parser_init(&client->parser, client->response_limit, strcmp(method, "HEAD") == 0);
	http_parser_expect(&client->parser, client->answer_header);
	client->busy = true;
	client->answered = false;
	client->reused = client->connection != NULL;
	client->done = done;
	client->context = context;
	event_add(client->timer, &client->timeout);
	if (client->reused)
		write_request(client);
	return 0;
}

static int copy_plain(char **ret, const char *text, const char *what, struct error *err)
{
	if (!text || text[0] == '\0')
		return 0;
	if (!http_text_is_plain(text))
		return error_set(err, -EINVAL, "the %s holds spaces or control characters", what);
	*ret = strdup(text);
	return *ret ? 0 : error_set(err, -ENOMEM, "no memory");
}

/* "Name: value", printable. */
static int copy_header(char **ret, const char *text, struct error *err)
{
	size_t name = text ? strcspn(text, ":") : 0;

	if (!text)
		return 0;
	if (name == 0 || strncmp(text + name, ": ", 2) != 0 || !utf8_is_plain(text, strlen(text)))
		return error_set(err, -EINVAL, "a header is not 'Name: value' without controls");
	*ret = strdup(text);
	return *ret ? 0 : error_set(err, -ENOMEM, "no memory");
}

/* A write to a connection that the server closed must be an error, not the end of the process. */
static void ignore_broken_pipes(void)
{
	struct sigaction action;
	if (sigaction(SIGPIPE, NULL, &action) == 0 && action.sa_handler == SIG_DFL) {
		action.sa_handler = SIG_IGN;
		sigaction(SIGPIPE, &action, NULL);
	}
}

static int make_tls(struct http_client *client, const struct http_options *options,
		    struct error *err)
{
	const struct http_tls_files files = { .ca = options->ca_file,
					      .certificate = options->certificate_file,
					      .key = options->key_file };
	return http_tls_context(&client->tls, &files, err);
}

int http_client_new(struct http_client **ret, struct event_base *base,
		    const struct http_options *options, struct error *err)
{
	uint64_t timeout_ns = options->timeout_ns ? options->timeout_ns : DEFAULT_TIMEOUT;
	struct http_client *client = calloc(1, sizeof(*client));
	if (!client)
		return error_set(err, -ENOMEM, "no memory");
	ignore_broken_pipes();
	client->base = base;
	client->file = options->file;
	client->response_limit = options->response_limit;
	client->timeout.tv_sec = (time_t)(timeout_ns / NS_PER_S);
	client->timeout.tv_usec = (suseconds_t)(timeout_ns % NS_PER_S / NS_PER_US);
	buffer_init(&client->request, REQUEST_LIMIT);
	http_parser_init(&client->parser, client->response_limit, false);
	int rc = http_url_parse(options->url, &client->url, err);
	if (rc == 0)
		rc = copy_plain(&client->token, options->token, "token", err);
	if (rc == 0)
		rc = copy_plain(&client->encoding, options->encoding, "encoding", err);
	if (rc == 0)
		rc = copy_header(&client->header, options->header, err);
	if (rc == 0)
		rc = copy_header(&client->answer_header, options->answer_header, err);
	if (rc == 0 && client->url.tls)
		rc = make_tls(client, options, err);
	if (rc == 0) {
		client->timer = evtimer_new(base, on_timeout, client);
		rc = client->timer ? 0 : error_set(err, -ENOMEM, "no memory");
	}
	if (rc != 0)
		http_client_free(client);
	else
		*ret = client;
	return rc;
}

/* It may be a secret. */
static void wipe(char *text)
{
	if (text)
		explicit_bzero(text, strlen(text));
	free(text);
}

void http_client_free(struct http_client *client)
{
	if (!client)
		return;
	drop_connection(client);
	if (client->timer)
		event_free(client->timer);
	SSL_CTX_free(client->tls);
	buffer_clear(&client->request);
	http_parser_clear(&client->parser);
	wipe(client->token);
	wipe(client->header);
	free(client->answer_header);
	free(client->encoding);
	free(client);
}
