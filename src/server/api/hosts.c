/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "cloud/cloud.h"
#include "server/query/query.h"
#include "server/api/handlers.h"
#include "server/server.h"

#define BUCKETS_MAX 400

/* Of the store's columns what the price is replaced by: the configured one is only one source. */
static bool is_price(const char *column)
{
	return strcmp(column, "price_usd_hour") == 0 || strcmp(column, "price_source") == 0;
}

static void write_price(struct json *json, const struct store_rows *rows)
{
	struct cloud_price price;
	bool known = !cloud_price(ask_text(rows, "provider"), ask_text(rows, "region"),
				  ask_text(rows, "instance_type"),
				  ask_double(rows, "price_usd_hour"), &price);

	json_key(json, "price_usd_hour");
	if (known)
		json_double(json, price.usd_hour);
	else
		json_none(json);
	json_key(json, "price_source");
	json_text(json, known ? price.source : NULL);
}

/* The interval that the latest sample covers. */
static void write_sampled(struct json *json, const struct store_rows *rows)
{
	int64_t until_at = ask_i64(rows, "sampled_at");
	int64_t len_ns = (int64_t)(ask_double(rows, "sample_s") * (double)NS_PER_S);

	ask_time(json, "since_at", until_at ? until_at - len_ns : 0);
	ask_time(json, "until_at", until_at);
}

static void write_host(struct json *json, const struct store_rows *rows)
{
	for (size_t i = 0; i < store_columns(rows); i++) {
		if (is_price(store_column_name(rows, i)))
			continue;
		json_key(json, store_column_name(rows, i));
		ask_value(rows, i, json);
	}
	write_price(json, rows);
	write_sampled(json, rows);
}

int get_hosts(struct request *request, struct reply *reply)
{
	const struct store_param params[] = { ASK_OPTIONAL("host", NULL) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = ASK(request->server, "hosts", params, &rows, &reply->error);
	struct json json;

	if (rc)
		return rc;
	reply->tagged = true;
	json_init(&json, &reply->body, false);
	json_object_begin(&json);
	json_key(&json, "hosts");
	json_array_begin(&json);
	while (store_next(rows)) {
		json_object_begin(&json);
		write_host(&json, rows);
		json_object_end(&json);
	}
	json_array_end(&json);
	json_object_end(&json);
	return 0;
}

/* A round number of seconds that cuts `whole` into at most BUCKETS_MAX. */
static int64_t interval_of(int64_t whole_s)
{
	static const int64_t ROUND[] = { 5,   10,  15,   30,   60,   120,   300,
					 600, 900, 1800, 3600, 7200, 14400, 43200 };

	for (size_t i = 0; i < sizeof(ROUND) / sizeof(ROUND[0]); i++)
		if (ROUND[i] * (BUCKETS_MAX - 1) >= whole_s)
			return ROUND[i];
	return 86400;
}

static int ask_samples(struct server *server, const char *query, const char *id, int64_t hours,
		       int64_t interval_s, struct store_rows **ret, struct error *err)
{
	int64_t now = clock_real_ns();
	const struct store_param params[] = { ASK_TEXT("host", id),
					      ASK_TIME("since_at", now - hours * 3600 * NS_PER_S),
					      ASK_TIME("until_at", now),
					      ASK_I64("interval_s", interval_s) };

	return ask(server, query, params, sizeof(params) / sizeof(params[0]), ret, err);
}

/* Its GPUs, and what they did in the same buckets. */
static int write_gpus(struct request *request, const char *id, int64_t interval_s,
		      struct json *json, struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *gpus = NULL, *samples = NULL;
	const struct store_param params[] = { ASK_TEXT("host", id) };
	int rc = ASK(request->server, "gpus", params, &gpus, err);

	if (!rc)
		rc = ask_samples(request->server, "gpu_samples", id,
				 request_number(request, "hours"), interval_s, &samples, err);
	if (rc)
		return rc;
	ask_list(json, "gpus", gpus, NULL, NULL);
	ask_list(json, "gpu_samples", samples, ask_bucket_times, NULL);
	return 0;
}

static int find_host(struct request *request, struct store_rows **ret, struct error *err)
{
	const struct store_param params[] = { ASK_TEXT("host", request->param) };
	CLEANUP(store_rows_freep) struct store_rows *host = NULL;
	int rc = ASK(request->server, "hosts", params, &host, err);

	if (rc)
		return rc;
	if (!store_next(host))
		return error_set(err, -ENOENT,
				 "no host has the id or name \"%s\": see /api/v1/hosts",
				 request->param);
	*ret = TAKE_PTR(host);
	return 0;
}

static int ask_untracked(struct request *request, const char *id, struct store_rows **ret,
			 struct error *err)
{
	int64_t now = clock_real_ns(), hours = request_number(request, "hours");
	const struct store_param params[] = { ASK_TEXT("host", id),
					      ASK_TIME("since_at", now - hours * 3600 * NS_PER_S),
					      ASK_TIME("until_at", now),
					      ASK_I64("limit", request_number(request, "limit")) };

	return ASK(request->server, "untracked", params, ret, err);
}

int get_host_untracked(struct request *request, struct reply *reply)
{
	CLEANUP(store_rows_freep) struct store_rows *host = NULL, *rows = NULL;
	int rc = find_host(request, &host, &reply->error);
	struct json json;

	if (!rc)
		rc = ask_untracked(request, ask_text(host, "id"), &rows, &reply->error);
	if (rc)
		return rc;
	reply->tagged = true;
	json_init(&json, &reply->body, false);
	json_object_begin(&json);
	ask_list(&json, "untracked", rows, NULL, NULL);
	json_object_end(&json);
	return 0;
}

int get_host(struct request *request, struct reply *reply)
{
	CLEANUP(store_rows_freep) struct store_rows *host = NULL, *samples = NULL;
	int64_t hours = request_number(request, "hours");
	int64_t interval_s = interval_of(hours * 3600);
	int rc = find_host(request, &host, &reply->error);
	struct json json;

	if (rc)
		return rc;
	rc = ask_samples(request->server, "host_samples", ask_text(host, "id"), hours, interval_s,
			 &samples, &reply->error);
	if (rc)
		return rc;
	reply->tagged = true;
	json_init(&json, &reply->body, false);
	json_object_begin(&json);
	write_host(&json, host);
	json_key(&json, "interval_s");
	json_i64(&json, interval_s);
	ask_list(&json, "samples", samples, ask_bucket_times, NULL);
	rc = write_gpus(request, ask_text(host, "id"), interval_s, &json, &reply->error);
	json_object_end(&json);
	return rc;
}
