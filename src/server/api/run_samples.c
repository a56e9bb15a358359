/* SPDX-License-Identifier: Apache-2.0 */
#include "server/api/handlers.h"
#include "server/query/run.h"
#include "server/server.h"

/* A run over time: its own samples, and those of the GPUs of its hosts. */

/* *ret: how long the buckets of a run's samples are. */
static int find_interval(struct server *server, const char *id, int64_t *ret, struct error *err)
{
	const struct store_param params[] = { ASK_TEXT("run", id) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = ASK(server, "samples_interval", params, &rows, err);

	if (rc)
		return rc;
	*ret = store_next(rows) ? ask_i64(rows, "interval_s") : 0;
	if (*ret < 1)
		*ret = 1;
	return 0;
}

/* Resolves the run and finds the length of its buckets. */
static int begin(struct request *request, struct reply *reply, char id[RUN_ID_SIZE], int64_t *ret)
{
	int rc = run_resolve(request, reply, id);

	return rc ? rc : find_interval(request->server, id, ret, &reply->error);
}

/* "interval_s" and whatever follows it in the object. */
static void write_interval(struct json *json, struct reply *reply, int64_t interval_s)
{
	reply->tagged = true;
	json_init(json, &reply->body, false);
	json_object_begin(json);
	json_key(json, "interval_s");
	json_i64(json, interval_s);
}

int get_run_samples(struct request *request, struct reply *reply)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int64_t interval_s = 1;
	char id[RUN_ID_SIZE];
	struct json json;
	int rc = begin(request, reply, id, &interval_s);
	const struct store_param params[] = { ASK_TEXT("run", id),
					      ASK_TEXT("by", request_text(request, "by")),
					      ASK_I64("interval_s", interval_s) };

	if (rc == 0)
		rc = ASK(request->server, "samples", params, &rows, &reply->error);
	if (rc)
		return rc;
	write_interval(&json, reply, interval_s);
	ask_list(&json, "samples", rows, NULL, NULL);
	json_object_end(&json);
	return 0;
}

int get_run_gpus(struct request *request, struct reply *reply)
{
	CLEANUP(store_rows_freep) struct store_rows *gpus = NULL, *samples = NULL;
	int64_t interval_s = 1;
	char id[RUN_ID_SIZE];
	struct json json;
	int rc = begin(request, reply, id, &interval_s);
	const struct store_param run[] = { ASK_TEXT("run", id) };
	const struct store_param params[] = { ASK_TEXT("run", id),
					      ASK_I64("interval_s", interval_s) };

	if (rc == 0)
		rc = ASK(request->server, "run_gpus", run, &gpus, &reply->error);
	if (rc == 0)
		rc = ASK(request->server, "run_gpu_samples", params, &samples, &reply->error);
	if (rc)
		return rc;
	write_interval(&json, reply, interval_s);
	ask_list(&json, "gpus", gpus, NULL, NULL);
	ask_list(&json, "gpu_samples", samples, ask_bucket_times, NULL);
	json_object_end(&json);
	return 0;
}
