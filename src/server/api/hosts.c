/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "server/api/handlers.h"
#include "server/query/query.h"
#include "server/rows/answer.h"
#include "server/rows/bucket_times.h"

#define BUCKETS_MAX 400

/* The added columns of a host: the interval that its latest sample covers. */
static const struct row_column HOST_COLUMNS[] = {
	{ "since_at", STORE_TIME },
	{ "until_at", STORE_TIME },
};

static void fill_host(const struct store_rows *rows, void *context, struct cell *cells)
{
	int64_t until_at = row_i64(rows, "sampled_at");
	int64_t len_ns = (int64_t)(row_double(rows, "sample_s") * (double)NS_PER_S);

	(void)context;
	cells[0] = cell_time(until_at ? until_at - len_ns : 0);
	cells[1] = cell_time(until_at);
}

static const struct row_extra HOST_EXTRA = { HOST_COLUMNS, 2, fill_host, NULL };

int get_hosts(struct request *request, struct reply *reply)
{
	const struct store_param params[] = { PARAM_OPTIONAL("host", NULL) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = QUERY(request->server, "hosts", params, &rows, &reply->error);
	struct row_writer writer;

	if (rc)
		return rc;
	answer_begin(&writer, request, reply);
	query_rows_list(&writer, "hosts", rows, &HOST_EXTRA);
	row_writer_end(&writer);
	return 0;
}

/* A round number of seconds that divides the time into at most BUCKETS_MAX buckets. */
static int64_t interval_of(int64_t time_s)
{
	static const int64_t ROUND[] = { 5,   10,  15,   30,   60,   120,   300,
					 600, 900, 1800, 3600, 7200, 14400, 43200 };

	for (size_t i = 0; i < sizeof(ROUND) / sizeof(ROUND[0]); i++)
		if (ROUND[i] * (BUCKETS_MAX - 1) >= time_s)
			return ROUND[i];
	return 86400;
}

static int query_samples(struct server *server, const char *query, const char *id, int64_t hours,
			 int64_t interval_s, struct store_rows **ret, struct error *err)
{
	int64_t now = clock_real_ns();
	const struct store_param params[] = { PARAM_TEXT("host", id),
					      PARAM_TIME("since_at", now - hours * 3600 * NS_PER_S),
					      PARAM_TIME("until_at", now),
					      PARAM_I64("interval_s", interval_s) };

	return query_named(server, query, params, sizeof(params) / sizeof(params[0]), ret, err);
}

/* The GPUs of a host, and their samples in the same buckets. */
static int write_gpus(struct request *request, const char *id, int64_t interval_s,
		      struct row_writer *writer, struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *gpus = NULL, *samples = NULL;
	const struct store_param params[] = { PARAM_TEXT("host", id) };
	int rc = QUERY(request->server, "gpus", params, &gpus, err);

	if (!rc)
		rc = query_samples(request->server, "gpu_samples", id,
				   request_number(request, "hours"), interval_s, &samples, err);
	if (rc)
		return rc;
	query_rows_list(writer, "gpus", gpus, NULL);
	query_rows_list(writer, "gpu_samples", samples, &BUCKET_TIMES);
	return 0;
}

static int find_host(struct request *request, struct store_rows **ret, struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("host", request->param) };
	CLEANUP(store_rows_freep) struct store_rows *host = NULL;
	int rc = QUERY(request->server, "hosts", params, &host, err);

	if (rc)
		return rc;
	if (!store_next(host))
		return error_set(err, -ENOENT,
				 "no host has the id or name \"%s\": see /api/v1/hosts",
				 request->param);
	*ret = TAKE_PTR(host);
	return 0;
}

static int query_untracked(struct request *request, const char *id, struct store_rows **ret,
			   struct error *err)
{
	int64_t now = clock_real_ns(), hours = request_number(request, "hours");
	const struct store_param params[] = {
		PARAM_TEXT("host", id), PARAM_TIME("since_at", now - hours * 3600 * NS_PER_S),
		PARAM_TIME("until_at", now), PARAM_I64("limit", request_number(request, "limit"))
	};

	return QUERY(request->server, "untracked", params, ret, err);
}

int get_host_untracked(struct request *request, struct reply *reply)
{
	CLEANUP(store_rows_freep) struct store_rows *host = NULL, *rows = NULL;
	int rc = find_host(request, &host, &reply->error);
	struct row_writer writer;

	if (!rc)
		rc = query_untracked(request, row_text(host, "id"), &rows, &reply->error);
	if (rc)
		return rc;
	answer_begin(&writer, request, reply);
	query_rows_list(&writer, "untracked", rows, NULL);
	row_writer_end(&writer);
	return 0;
}

int get_host(struct request *request, struct reply *reply)
{
	CLEANUP(store_rows_freep) struct store_rows *host = NULL, *samples = NULL;
	int64_t hours = request_number(request, "hours");
	int64_t interval_s = interval_of(hours * 3600);
	int rc = find_host(request, &host, &reply->error);
	struct row_writer writer;

	if (rc)
		return rc;
	rc = query_samples(request->server, "host_samples", row_text(host, "id"), hours, interval_s,
			   &samples, &reply->error);
	if (rc)
		return rc;
	answer_begin(&writer, request, reply);
	query_rows_fields(&writer, host, 0, store_columns(host), &HOST_EXTRA);
	row_field(&writer, "interval_s", cell_i64(interval_s));
	query_rows_list(&writer, "samples", samples, &BUCKET_TIMES);
	rc = write_gpus(request, row_text(host, "id"), interval_s, &writer, &reply->error);
	row_writer_end(&writer);
	return rc;
}
