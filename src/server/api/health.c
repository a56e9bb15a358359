/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"
#include "base/log.h"
#include "server/query/query.h"
#include "server/http/slow_client.h"
#include "server/api/handlers.h"
#include "server/api/live.h"
#include "server/server.h"

static int write_status(struct reply *reply, const char *status)
{
	struct json json;

	json_init(&json, &reply->body, false);
	json_object_begin(&json);
	json_key(&json, "status");
	json_text(&json, status);
	json_key(&json, "version");
	json_text(&json, TRACER_VERSION);
	json_object_end(&json);
	return 0;
}

int get_healthz(struct request *request, struct reply *reply)
{
	return write_status(reply, "ok");
}

/* Ready: the store answers. */
int get_readyz(struct request *request, struct reply *reply)
{
	const struct store_param params[] = { PARAM_TEXT("run", "any") };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = query_named(request->server, "resolve_id", params, 1, &rows, &reply->error);

	if (rc == 0)
		return write_status(reply, "ready");
	log_error("not ready: %s", error_text(&reply->error));
	reply->retry_after_s = 5;
	return reply_problem(reply, 503, "the store does not answer");
}

/* How much there is in the store, each column a gauge. */
static void write_store(struct server *server, struct buffer *out)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	struct error err = { "" };

	if (query_named(server, "metrics", NULL, 0, &rows, &err) || !store_next(rows)) {
		log_error("metrics: %s", error_text(&err));
		return;
	}
	for (size_t i = 0; i < store_columns(rows); i++) {
		const char *name = store_column_name(rows, i);

		buffer_printf(out, "# TYPE tracer_store_%s gauge\ntracer_store_%s %lld\n", name,
			      name, (long long)store_i64(rows, i));
	}
}

/* A label's value: backslash, quote and newline are escaped, as OpenMetrics wants it. */
static void write_label(struct buffer *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\\' || *text == '"')
			buffer_append_char(out, '\\');
		buffer_append_char(out, *text == '\n' ? ' ' : *text);
	}
}

static double number_of(const struct store_rows *rows, size_t column)
{
	return store_column_type(rows, column) == STORE_DOUBLE ? store_double(rows, column)
							       : (double)store_i64(rows, column);
}

/* A gauge family for each column behind the first, with the host as its label. */
static void write_agents(struct server *server, struct buffer *out)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	struct error err = { "" };
	size_t columns;

	if (query_named(server, "metrics_agents", NULL, 0, &rows, &err)) {
		log_error("metrics: %s", error_text(&err));
		return;
	}
	columns = store_columns(rows);
	for (size_t i = 1; i < columns; i++) {
		const char *name = store_column_name(rows, i);

		buffer_printf(out, "# TYPE tracer_agent_%s gauge\n", name);
		store_rewind(rows);
		while (store_next(rows)) {
			if (store_is_null(rows, i))
				continue;
			buffer_printf(out, "tracer_agent_%s{host=\"", name);
			write_label(out, store_text(rows, 0));
			buffer_printf(out, "\"} %.9g\n", number_of(rows, i));
		}
	}
}

int get_metrics(struct request *request, struct reply *reply)
{
	struct server *server = request->server;
	struct metrics_gauges gauges = {
		.connections = slow_clients_count(server->slow_clients),
		.live_streams = live_watchers(server->live),
		.started_at = server->started_at,
	};

	reply->type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
	write_store(server, &reply->body);
	write_agents(server, &reply->body);
	metrics_write(&server->metrics, &gauges, &reply->body);
	return 0;
}
