/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "server/query/query.h"
#include "server/http/slow_client.h"
#include "server/http/tls.h"
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

/* Of the certificate: until when it is valid; whether newer files wait that cannot be used. */
static void write_tls(struct server *server, struct buffer *out)
{
	struct tls_state state;

	if (!server->tls)
		return;
	tls_state(server->tls, &state);
	buffer_printf(out,
		      "# TYPE tracer_tls_certificate_expires_seconds gauge\n"
		      "tracer_tls_certificate_expires_seconds %lld\n"
		      "# TYPE tracer_tls_certificate_stale gauge\n"
		      "tracer_tls_certificate_stale %d\n"
		      "# TYPE tracer_tls_certificate_reloads counter\n"
		      "tracer_tls_certificate_reloads_total %llu\n",
		      (long long)(state.expires_at / NS_PER_S), *state.reload.text != '\0',
		      (unsigned long long)state.reloads);
}

static void write_tls_state(struct json *json, struct tls *tls)
{
	char when[CLOCK_TEXT_SIZE];
	struct tls_state state;

	tls_state(tls, &state);
	json_object_begin(json);
	json_key(json, "certificate_file");
	json_text(json, state.file);
	json_key(json, "expires_at");
	json_text(json, clock_format(state.expires_at, when));
	json_key(json, "expires_days");
	json_i64(json, (state.expires_at - clock_real_ns()) / (24 * 3600 * NS_PER_S));
	json_key(json, "not_reloaded");
	json_text(json, *state.reload.text ? state.reload.text : NULL);
	json_key(json, "needs_client_certificate");
	json_bool(json, state.needs_certificate);
	json_object_end(json);
}

int get_lake(struct request *request, struct reply *reply)
{
	struct server *server = request->server;
	char when[CLOCK_TEXT_SIZE];
	struct json json;

	json_init(&json, &reply->body, false);
	json_object_begin(&json);
	json_key(&json, "version");
	json_text(&json, TRACER_VERSION);
	json_key(&json, "started_at");
	json_text(&json, clock_format(server->started_at, when));
	json_key(&json, "tls");
	if (server->tls)
		write_tls_state(&json, server->tls);
	else
		json_none(&json);
	json_object_end(&json);
	return 0;
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
	write_tls(server, &reply->body);
	metrics_write(&server->metrics, &gauges, &reply->body);
	return 0;
}
