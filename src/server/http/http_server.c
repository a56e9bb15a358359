/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http/http_server.h"

#include <errno.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "server/http/slow_client.h"
#include "server/http/auth.h"
#include "server/access/connection.h"
#include "server/access/connection_limit.h"
#include "server/access/peer.h"
#include "server/http/body/request_body.h"
#include "server/http/request_syntax.h"
#include "server/http/route.h"
#include "server/query/query_pool.h"
#include "server/http/tls.h"
#include "server/http/body/upload.h"
#include "server/server.h"

/* One request and its answer: what MHD carries from call to call. */
struct exchange {
	char *uri; /* as sent */
	struct request_line line;
	bool too_long;
	bool begun;
	bool refused; /* the reply is ready; what still comes is read and dropped */
	bool handled; /* the handler, or the query pool, made the reply */
	struct query_job job;
	size_t discarded;
	struct request request;
	struct reply reply;
};

static void exchange_free(struct exchange *exchange)
{
	if (!exchange)
		return;
	auth_end(&exchange->request);
	request_body_clear(&exchange->request);
	if (exchange->request.work)
		exchange->request.work_free(exchange->request.work);
	reply_clear(&exchange->reply);
	free(exchange->uri);
	free(exchange);
}

static struct slow_client *client_of(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info ? info->socket_context : NULL;
}

/* MHD decodes nothing for us (see keep_encoded): the URI is what the client sent. */
static void *on_uri(void *context, const char *uri, struct MHD_Connection *connection)
{
	struct exchange *exchange = calloc(1, sizeof(*exchange));
	struct server *server = context;

	if (!exchange)
		return NULL;
	/* A connection may have waited for its next request nearly as long as it may. */
	slow_clients_await(server->slow_clients, client_of(connection), clock_monotonic_ns());
	exchange->line = (struct request_line){ .uri = uri, .uri_len = strlen(uri) };
	exchange->too_long = exchange->line.uri_len > SERVER_URI_BYTES;
	exchange->uri = strdup(exchange->too_long ? "/" : uri);
	exchange->request.server = server;
	exchange->request.connection = connection;
	buffer_init(&exchange->request.body, 0);
	reply_init(&exchange->reply);
	if (!exchange->uri) {
		exchange_free(exchange);
		return NULL;
	}
	return exchange;
}

/* A decoded %00 would end a C string: percent_decode refuses it, so nothing is decoded before. */
static size_t keep_encoded(void *context, struct MHD_Connection *connection, char *text)
{
	return strlen(text);
}

static void refuse(struct exchange *exchange, int rc)
{
	exchange->refused = true;
	if (rc < 0)
		reply_failed(&exchange->reply, rc, exchange->request.path);
}

/* Routes, authenticates, reads the filters. What is wrong becomes the reply. */
static void begin(struct exchange *exchange, const char *method)
{
	struct request *request = &exchange->request;
	struct reply *reply = &exchange->reply;
	char *query = strchr(exchange->uri, '?');
	int rc;

	exchange->begun = true;
	request->path = exchange->uri;
	if (query)
		*query++ = '\0';
	if (exchange->too_long) {
		reply_problem(reply, 414, "a URI may have %d bytes", SERVER_URI_BYTES);
		exchange->refused = true;
		return;
	}
	if (!auth_route(request, method, reply) || !auth_allow(request, reply)) {
		exchange->refused = true;
		return;
	}
	if (!request_body_begin(request, reply)) {
		exchange->refused = true;
		return;
	}
	/* The dashboard itself reads the query of its addresses. */
	if (request->route == &ROUTE_PAGE)
		query = NULL;
	rc = filters_read(request->route->filters, query, request->values, &reply->error);
	if (rc)
		refuse(exchange, rc);
}

/* Keeps, or when refused only counts, a piece of the body. */
static enum MHD_Result take_body(struct exchange *exchange, const char *bytes, size_t len)
{
	struct request *request = &exchange->request;

	/* A file may take long; each piece of it shows that its client is there. */
	if (request->upload)
		slow_clients_await(request->server->slow_clients, client_of(request->connection),
				   clock_monotonic_ns());
	if (!exchange->refused)
		exchange->refused = !request_body_take(request, bytes, len, &exchange->reply);
	else
		exchange->discarded += len;
	return exchange->discarded > SERVER_DISCARD_BYTES ? MHD_NO : MHD_YES;
}

/* false: the handler suspended the connection, and is called again. */
static bool handle(struct exchange *exchange)
{
	struct request *request = &exchange->request;
	struct reply *reply = &exchange->reply;
	int rc = request->body.failed ? -ENOMEM : request->route->handler(request, reply);

	if (rc == -EINPROGRESS)
		return false;
	exchange->handled = true;
	if (rc < 0)
		reply_failed(reply, rc, request->path);
	if (reply->stream) /* there is a limit of its own for these */
		auth_end(request);
	return true;
}

static void run_job(struct query_job *job)
{
	(void)handle(job->context);
}

static void put_off(struct exchange *exchange)
{
	exchange->handled = true;
	exchange->reply.retry_after_s = QUERY_POOL_RETRY_S;
	reply_problem(&exchange->reply, 503,
		      "the lake answers as many questions as it can; ask "
		      "again later");
}

static void finish_job(struct query_job *job, int rc)
{
	struct exchange *exchange = job->context;

	if (rc < 0)
		put_off(exchange);
	MHD_resume_connection(exchange->request.connection);
}

/* MHD calls on_request again once the reply is ready. */
static enum MHD_Result ask_pool(struct exchange *exchange)
{
	struct request *request = &exchange->request;
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CONNECTION_FD);

	reply_charge(&exchange->reply, &request->server->answers);
	exchange->job = (struct query_job){ .context = exchange,
					    .run = run_job,
					    .done = finish_job,
					    .fd = info ? info->connect_fd : -1,
					    .reader.budget = &request->server->answers };
	MHD_suspend_connection(request->connection);
	if (query_pool_put(request->server->queries, &exchange->job) < 0) {
		put_off(exchange);
		MHD_resume_connection(request->connection);
	}
	return MHD_YES;
}

static enum MHD_Result answer(struct exchange *exchange)
{
	struct request *request = &exchange->request;
	struct reply *reply = &exchange->reply;
	enum MHD_Result result;

	if (!exchange->refused && !exchange->handled && request->route->asks_store)
		return ask_pool(exchange);
	if (!exchange->refused && !exchange->handled && !handle(exchange))
		return MHD_YES;
	result = (enum MHD_Result)reply_send(
		reply, request->connection,
		MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, "If-None-Match"));
	metrics_count_response(&request->server->metrics, reply->status);
	log_debug("%u %s", reply->status, request->path);
	return result;
}

/* The first look at a request, before its body: false: the answer is ready, and no body is read. */
static bool is_welcome(struct exchange *exchange, struct MHD_Connection *connection)
{
	const char *fault = request_syntax_fault(&exchange->line, connection);

	if (fault) {
		reply_problem(&exchange->reply, 400, "%s", fault);
		exchange->reply.closes = true;
	} else if (!request_body_is_hopeless(&exchange->request, exchange->refused,
					     &exchange->reply)) {
		return true;
	}
	exchange->refused = true;
	return false;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *url,
				  const char *method, const char *version, const char *upload,
				  size_t *upload_len, void **state)
{
	struct server *server = context;
	struct exchange *exchange = *state;

	if (!exchange)
		return MHD_NO;
	if (!exchange->begun) {
		exchange->line.method = method;
		exchange->line.version = version;
		begin(exchange, method);
		return is_welcome(exchange, connection) ? MHD_YES : answer(exchange);
	}
	if (*upload_len) {
		enum MHD_Result result = take_body(exchange, upload, *upload_len);

		*upload_len = 0;
		return result;
	}
	slow_clients_arrived(server->slow_clients, client_of(connection));
	return answer(exchange);
}

static void on_completed(void *context, struct MHD_Connection *connection, void **state,
			 enum MHD_RequestTerminationCode why)
{
	struct server *server = context;

	exchange_free(*state);
	*state = NULL;
	slow_clients_await(server->slow_clients, client_of(connection), clock_monotonic_ns());
}

static void on_log(void *context, const char *format, va_list args)
{
	char line[512];

	vsnprintf(line, sizeof(line), format, args);
	line[strcspn(line, "\r\n")] = '\0';
	log_debug("http: %s", line);
}

/* Adds three options at most. Returns the flag. */
static unsigned add_tls(struct tls *tls, struct MHD_OptionItem *options)
{
	*options++ = (struct MHD_OptionItem){ MHD_OPTION_HTTPS_PRIORITIES, 0,
					      "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2" };
	*options++ = (struct MHD_OptionItem){ MHD_OPTION_HTTPS_CERT_CALLBACK, 0, tls_callback() };
	/* It asks each client for a certificate; auth.c judges who must have one. */
	if (tls_client_authorities(tls))
		*options++ = (struct MHD_OptionItem){ MHD_OPTION_HTTPS_MEM_TRUST, 0,
						      tls_client_authorities(tls) };
	return MHD_USE_TLS;
}

/* What differs between the daemons. */
struct daemon_options {
	int listener;
	unsigned threads, connections;
	struct tls *tls; /* NULL: without */
};

static int start(struct server *server, const struct daemon_options *wanted,
		 struct MHD_Daemon **ret, struct error *err)
{
	unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_EPOLL | MHD_USE_ITC |
			 MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
	/* The logger is first, so that messages about the other options go to our log. */
	struct MHD_OptionItem options[] = {
		{ MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)on_log, NULL },
		{ MHD_OPTION_LISTEN_SOCKET, wanted->listener, NULL },
		{ MHD_OPTION_THREAD_POOL_SIZE, wanted->threads, NULL },
		{ MHD_OPTION_CONNECTION_LIMIT, wanted->connections, NULL },
		{ MHD_OPTION_CONNECTION_MEMORY_LIMIT, SERVER_HEADER_BYTES, NULL },
		{ MHD_OPTION_CONNECTION_TIMEOUT, SERVER_IDLE_S, NULL },
		{ MHD_OPTION_STRICT_FOR_CLIENT, 1, NULL },
		{ MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)on_uri, server },
		{ MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)keep_encoded, NULL },
		{ MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)on_completed, server },
		{ MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)connection_notify, server },
		{ MHD_OPTION_END, 0, NULL },
		{ MHD_OPTION_END, 0, NULL },
		{ MHD_OPTION_END, 0, NULL },
		{ MHD_OPTION_END, 0, NULL },
	};

	if (wanted->tls)
		flags |= add_tls(wanted->tls, options + sizeof(options) / sizeof(options[0]) - 4);
	*ret = MHD_start_daemon(flags, 0, NULL, NULL, on_request, server, MHD_OPTION_ARRAY, options,
				MHD_OPTION_END);
	return *ret ? 0 : error_set(err, -EIO, "cannot start serving");
}

int http_server_start(struct server *server, int listener, struct error *err)
{
	const unsigned most = connection_limit_files(SERVER_CONNECTIONS);
	const struct daemon_options options = { .listener = listener,
						.threads = SERVER_THREADS,
						.connections = most,
						.tls = server->tls };

	upload_clean(server->settings->data_folder);
	server->connections = connection_limit_new(
		&(struct connection_limit_options){ most, SERVER_RESERVE, SERVER_CONNECTIONS_IP });
	if (!server->connections)
		return error_set(err, -ENOMEM, "out of memory");
	return start(server, &options, &server->daemon, err);
}

int http_server_start_local(struct server *server, int listener, struct error *err)
{
	const struct daemon_options options = { .listener = listener,
						.threads = SERVER_THREADS_LOCAL,
						.connections = PEERS_CONNECTIONS };

	return start(server, &options, &server->local_daemon, err);
}
