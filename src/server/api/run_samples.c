/* SPDX-License-Identifier: Apache-2.0 */
#include "server/api/handlers.h"

#include <string.h>

#include "server/query/run.h"
#include "server/rows/answer.h"
#include "server/rows/bucket_times.h"

/* A run over time: its samples, and those of the GPUs of its hosts. */

/* Sets *ret to the length of the buckets of the samples. */
static int find_interval(struct server *server, const char *id, int64_t *ret, struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("run", id) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = QUERY(server, "samples_interval", params, &rows, err);

	if (rc)
		return rc;
	*ret = store_next(rows) ? row_i64(rows, "interval_s") : 0;
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

/* Begins an answer with "interval_s". */
static void begin_answer(struct row_writer *writer, const struct request *request,
			 struct reply *reply, int64_t interval_s)
{
	answer_begin(writer, request, reply);
	row_field(writer, "interval_s", cell_i64(interval_s));
}

/* The samples by what is asked for: all figures of them, or those that are drawn. */
static int look(struct request *request, const char *id, int64_t interval_s,
		struct store_rows **ret, struct error *err)
{
	const struct store_param run = PARAM_TEXT("run", id);
	const struct store_param interval = PARAM_I64("interval_s", interval_s);
	const struct store_param by = PARAM_TEXT("by", request_text(request, "by"));
	const struct store_param keyed[] = { run, by, interval }, shares[] = { run, interval };

	if (strcmp(by.text, "share") == 0)
		return QUERY(request->server, "samples_shares", shares, ret, err);
	if (strcmp(request_text(request, "figures"), "use") == 0)
		return QUERY(request->server, "samples_use", keyed, ret, err);
	return QUERY(request->server, "samples", keyed, ret, err);
}

int get_run_samples(struct request *request, struct reply *reply)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int64_t interval_s = 1;
	char id[RUN_ID_SIZE];
	struct row_writer writer;
	int rc = begin(request, reply, id, &interval_s);

	if (rc == 0)
		rc = look(request, id, interval_s, &rows, &reply->error);
	if (rc)
		return rc;
	begin_answer(&writer, request, reply, interval_s);
	query_rows_list(&writer, "samples", rows, NULL);
	row_writer_end(&writer);
	return 0;
}

int get_run_gpus(struct request *request, struct reply *reply)
{
	CLEANUP(store_rows_freep) struct store_rows *gpus = NULL, *samples = NULL;
	int64_t interval_s = 1;
	char id[RUN_ID_SIZE];
	struct row_writer writer;
	int rc = begin(request, reply, id, &interval_s);
	const struct store_param run[] = { PARAM_TEXT("run", id) };
	const struct store_param params[] = { PARAM_TEXT("run", id),
					      PARAM_I64("interval_s", interval_s) };

	if (rc == 0)
		rc = QUERY(request->server, "run_gpus", run, &gpus, &reply->error);
	if (rc == 0)
		rc = QUERY(request->server, "run_gpu_samples", params, &samples, &reply->error);
	if (rc)
		return rc;
	begin_answer(&writer, request, reply, interval_s);
	query_rows_list(&writer, "gpus", gpus, NULL);
	query_rows_list(&writer, "gpu_samples", samples, &BUCKET_TIMES);
	row_writer_end(&writer);
	return 0;
}
