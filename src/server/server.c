/* SPDX-License-Identifier: Apache-2.0 */
#include "server/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "lake/store/store.h"
#include "server/confine/account.h"
#include "server/confine/confine_server.h"
#include "server/admin/worker.h"
#include "server/billing/host_price.h"
#include "server/policies.h"
#include "server/query/query.h"
#include "server/query/query_pool.h"
#include "server/access/peer.h"
#include "server/access/connection_limit.h"
#include "server/http/http_server.h"
#include "server/listener.h"
#include "server/http/local_socket.h"
#include "server/http/slow_client.h"
#include "server/ingest/journal.h"
#include "server/ingest/run_owner.h"
#include "server/findings/analysis.h"
#include "server/findings/analysis_worker.h"
#include "server/sweep/sweeper.h"
#include "server/inventory/inventory_service.h"
#include "server/query/run_cache.h"
#include "server/query/run_wall.h"
#include "server/api/live.h"
#include "server/http/session.h"
#include "server/access/tokens.h"
#include "server/http/tls.h"
#include "server/ticker.h"
#include "server/url_file.h"

/* Looks whether the store has reports of engines from before this server started. */
static void find_engine_reports(struct server *server)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	struct error err = { "" };

	if (query_named(server, "engine_reports", NULL, 0, &rows, &err))
		log_error("the reports of engines are not found: %s", error_text(&err));
	else
		server->has_engine_reports = store_next(rows) && store_bool(rows, 0);
}

/* The URL by which this host reaches what the socket listens on. */
static void write_url(struct server *server, int listener)
{
	const char *scheme = server->tls ? "https" : "http";
	struct sockaddr_storage address = { 0 };
	socklen_t len = sizeof(address);
	char host[INET6_ADDRSTRLEN] = "", port[8] = "";
	bool ip6;

	getsockname(listener, (struct sockaddr *)&address, &len);
	(void)getnameinfo((struct sockaddr *)&address, len, host, sizeof(host), port, sizeof(port),
			  NI_NUMERICHOST | NI_NUMERICSERV);
	snprintf(server->session_cookie, sizeof(server->session_cookie), SESSION_COOKIE "%s", port);
	ip6 = strchr(host, ':') != NULL;
	if (strcmp(host, ip6 ? "::" : "0.0.0.0") == 0)
		snprintf(host, sizeof(host), "%s", ip6 ? "::1" : "127.0.0.1");
	snprintf(server->url, sizeof(server->url), ip6 ? "%s://[%s]:%s" : "%s://%s:%s", scheme,
		 host, port);
}

static int open_tls(struct server *server, struct error *err)
{
	const struct settings *settings = server->settings;
	const struct tls_files files = { .certificate = settings->tls_certificate_file,
					 .key = settings->tls_key_file,
					 .client_ca = settings->tls_client_ca_file };

	return *files.certificate ? tls_open(&server->tls, &files, err) : 0;
}

static int open_store(struct server *server, struct error *err)
{
	struct store_options options = { .memory_limit = server->settings->memory_limit,
					 .archive_folder = server->settings->archive_folder,
					 .query_limit_ns = server->settings->query_limit_ns,
					 .prices = { host_price, server } };
	CLEANUP(freep) char *path = NULL, *log_folder = NULL;
	int rc = file_make_folder(server->settings->data_folder, 0700, err);

	if (rc)
		return rc;
	if (asprintf(&path, "%s/tracer.duckdb", server->settings->data_folder) < 0 ||
	    asprintf(&log_folder, "%s/batch-log", server->settings->data_folder) < 0)
		return error_set(err, -ENOMEM, "out of memory");
	options.path = path;
	options.log_folder = log_folder;
	return store_open(&server->store, &options, err);
}

static int open_journal(struct server *server, struct error *err)
{
	CLEANUP(freep) char *path = NULL;

	if (asprintf(&path, "%s/batches", server->settings->data_folder) < 0)
		return error_set(err, -ENOMEM, "out of memory");
	return journal_open(&server->journal, path, server->settings->keep_batches, err);
}

static int open_sessions(struct server *server, struct error *err)
{
	CLEANUP(freep) char *path = NULL;

	if (asprintf(&path, "%s/sessions", server->settings->data_folder) < 0)
		return error_set(err, -ENOMEM, "out of memory");
	return sessions_open(&server->sessions, path, err);
}

static int open_parts(struct server *server, struct error *err)
{
	const struct settings *settings = server->settings;
	int rc = inventory_fork(server->inventory, err); /* before there are secrets to inherit */

	if (rc == 0)
		rc = open_tls(server, err);
	if (rc == 0)
		rc = tokens_open(&server->tokens, settings->tokens_folder, err);
	/* Before the store's threads start, and before its file, which may be damaged, is read. */
	if (rc == 0)
		rc = confine_server(settings, err);
	if (rc == 0)
		rc = open_store(server, err);
	if (rc == 0)
		rc = open_journal(server, err);
	if (rc == 0)
		rc = open_sessions(server, err);
	if (rc)
		return rc;
	find_engine_reports(server);
	server->slow_clients = slow_clients_new(SERVER_ARRIVAL_S * NS_PER_S);
	server->live = live_new();
	server->run_owners = run_owners_new();
	server->walls = run_cache_new(&RUN_WALL_CACHE);
	server->analyses = run_cache_new(&ANALYSIS_CACHE);
	return server->slow_clients && server->live && server->run_owners && server->walls &&
			       server->analyses
		       ? 0
		       : error_set(err, -ENOMEM, "out of memory");
}

static int open_local(struct server *server, int *ret_listener, struct error *err)
{
	const struct settings *settings = server->settings;
	int rc = *settings->socket ? peers_open(&server->peers, settings->socket_group, err) : 0;

	if (rc == 0 && *settings->socket)
		rc = local_socket_open(settings->socket, ret_listener, err);
	return rc;
}

/* What is open before the server gives up its rights. */
struct opened {
	int listener, local_listener, url_file; /* -1: it is not open, or another one's */
};

static void close_opened(struct opened *opened)
{
	closep(&opened->listener);
	closep(&opened->local_listener);
	closep(&opened->url_file);
}

/* The port first, so that one in use is reported before anything else is touched. What root alone
 * may open is opened before the server becomes another user. */
static int open_first(struct server *server, struct opened *ret, struct error *err)
{
	const struct settings *settings = server->settings;
	int rc = listener_open(settings->listen, &ret->listener, err);

	if (rc == 0)
		rc = policies_read(server, err);
	if (rc == 0)
		rc = inventory_open(&server->inventory, settings->inventory_file, err);
	if (rc == 0)
		rc = open_local(server, &ret->local_listener, err);
	if (rc == 0)
		rc = url_file_open(settings->url_file, settings->data_folder, &ret->url_file, err);
	return rc ? rc : account_become_owner(settings->data_folder, err);
}

static int serve(struct server *server, const struct opened *opened, struct error *err)
{
	int rc = query_pool_start(&server->queries, server->settings->query_limit_ns, err);

	server->answers.limit = server->settings->answers_memory;
	if (rc == 0)
		rc = analysis_worker_start(&server->analyst, server, err);
	if (rc == 0)
		rc = sweeper_start(&server->sweeper, server, err);
	if (rc == 0)
		rc = worker_start(&server->worker, server, err);
	if (rc == 0)
		rc = inventory_serve(server->inventory, server, err);
	if (rc == 0)
		rc = http_server_start(server, opened->listener, err);
	if (rc == 0 && opened->local_listener >= 0)
		rc = http_server_start_local(server, opened->local_listener, err);
	if (rc == 0)
		rc = ticker_start(server, err);
	return rc ? rc : url_file_write(opened->url_file, server->url, err);
}

int server_start(struct server **ret, const struct settings *settings, struct error *err)
{
	CLEANUP(close_opened) struct opened opened = { -1, -1, -1 };
	struct server *server = calloc(1, sizeof(*server));
	int rc;

	if (!server)
		return error_set(err, -ENOMEM, "out of memory");
	server->settings = settings;
	server->started_at = clock_real_ns();
	server->instance = id_random();
	rc = open_first(server, &opened, err);
	if (rc == 0)
		rc = open_parts(server, err);
	if (rc == 0) {
		write_url(server, opened.listener);
		rc = serve(server, &opened, err);
	}
	/* The daemons close theirs. */
	if (server->daemon)
		(void)TAKE_FD(opened.listener);
	if (server->local_daemon)
		(void)TAKE_FD(opened.local_listener);
	if (rc) {
		server_stop(server);
		return rc;
	}
	*ret = server;
	return 0;
}

void server_stop(struct server *server)
{
	if (!server)
		return;
	if (server->store)
		store_stop(server->store);
	ticker_stop(server);
	if (server->store)
		store_drain(server->store); /* the connections of batches are resumed */
	if (server->live)
		live_stop(server->live);
	query_pool_stop(server->queries); /* a daemon that stops has no suspended connection */
	if (server->daemon)
		MHD_stop_daemon(server->daemon);
	if (server->local_daemon)
		MHD_stop_daemon(server->local_daemon);
	analysis_worker_stop(server->analyst); /* it looks whether there are queries */
	sweeper_stop(server->sweeper);
	query_pool_free(server->queries);
	worker_stop(server->worker);
	inventory_close(server->inventory);
	store_close(server->store);
	journal_close(server->journal);
	run_cache_free(server->walls);
	run_cache_free(server->analyses);
	live_free(server->live);
	run_owners_free(server->run_owners);
	slow_clients_free(server->slow_clients);
	connection_limit_free(server->connections);
	sessions_free(server->sessions);
	tokens_close(server->tokens);
	tls_close(server->tls);
	peers_close(server->peers);
	policies_clear(server);
	free(server);
}
