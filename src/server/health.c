#include "base/json.h"
#include "base/log.h"
#include "server/ask.h"
#include "server/guard.h"
#include "server/handlers.h"
#include "server/live.h"
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
	const struct store_param params[] = { ASK_TEXT("run", "latest") };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = ask(request->server, "resolve", params, 1, &rows, &reply->error);

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

	if (ask(server, "metrics", NULL, 0, &rows, &err) || !store_next(rows)) {
		log_error("metrics: %s", error_text(&err));
		return;
	}
	for (size_t i = 0; i < store_columns(rows); i++) {
		const char *name = store_column_name(rows, i);

		buffer_printf(out, "# TYPE tracer_store_%s gauge\ntracer_store_%s %lld\n", name,
			      name, (long long)store_i64(rows, i));
	}
}

int get_metrics(struct request *request, struct reply *reply)
{
	struct server *server = request->server;
	struct metrics_gauges gauges = {
		.connections = guard_count(server->guard),
		.live_streams = live_watchers(server->live),
		.started_at = server->started_at,
	};

	reply->type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
	write_store(server, &reply->body);
	metrics_write(&server->metrics, &gauges, &reply->body);
	return 0;
}
