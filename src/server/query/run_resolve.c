/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "server/query/run.h"
#include "server/server.h"

static int not_found(const char *run, struct error *err)
{
	return error_set(err, -ENOENT,
			 strcmp(run, "latest") == 0
				 ? "there is no run yet"
				 : "no run has the id or name \"%s\"; `tracer runs` lists them",
			 run);
}

static void write_candidate(const struct store_rows *rows, struct json *json)
{
	static const char *const TEXTS[] = { "id", "name", "engine_run_name", "pipeline",
					     "status" };

	json_object_begin(json);
	for (size_t i = 0; i < sizeof(TEXTS) / sizeof(TEXTS[0]); i++) {
		const char *text = ask_text(rows, TEXTS[i]);

		json_key(json, TEXTS[i]);
		json_text(json, *text ? text : NULL);
	}
	ask_time(json, "started_at", ask_i64(rows, "started_at"));
	json_object_end(json);
}

/* rows: at the first candidate. */
static int ambiguous(struct store_rows *rows, const char *run, int64_t matches, struct reply *reply)
{
	struct json json;

	json_init(&json, &reply->candidates, false);
	json_array_begin(&json);
	do
		write_candidate(rows, &json);
	while (store_next(rows));
	json_array_end(&json);
	return error_set(
		&reply->error, -ENOTUNIQ,
		"\"%s\" is the start of %lld runs: name one by its id, or give more of its "
		"name",
		run, (long long)matches);
}

int run_resolve(struct request *request, struct reply *reply, char id[RUN_ID_SIZE])
{
	const struct store_param params[] = { ASK_TEXT("run", request->param) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = ASK(request->server, "resolve", params, &rows, &reply->error);

	if (rc)
		return rc;
	if (!store_next(rows))
		return not_found(request->param, &reply->error);
	if (ask_i64(rows, "matches") > 1)
		return ambiguous(rows, request->param, ask_i64(rows, "matches"), reply);
	snprintf(id, RUN_ID_SIZE, "%s", ask_text(rows, "id"));
	return 0;
}
