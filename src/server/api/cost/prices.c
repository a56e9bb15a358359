/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/utf8.h"
#include "cloud/cloud.h"
#include "cost/instant.h"
#include "server/api/handlers.h"
#include "server/billing/price_import.h"
#include "server/query/query.h"
#include "server/rows/answer.h"
#include "server/rows/query_rows.h"
#include "server/server.h"
#include "signal/bounds.h"

#define PRICE_LEAST 1e-6 /* USD an hour: less is a slip */

static void write_catalogue(struct row_writer *writer)
{
	static const char *const providers[] = { "aws", "gcp" };
	static const struct row_column columns[] = {
		{ "provider", STORE_TEXT },
		{ "date", STORE_TEXT },
		{ "spot_date", STORE_TEXT },
		{ "source", STORE_TEXT },
	};

	ROW_LIST_BEGIN(writer, "catalogue", columns);
	for (size_t i = 0; i < sizeof(providers) / sizeof(providers[0]); i++) {
		struct cloud_list list;

		if (cloud_list(providers[i], &list))
			continue;
		const struct cell cells[] = { cell_text(providers[i]), cell_text(list.date),
					      cell_text(list.spot_date), cell_text(list.source) };

		ROW_LIST_ADD(writer, cells);
	}
	row_list_end(writer);
}

int get_prices(struct request *request, struct reply *reply)
{
	CLEANUP(store_rows_freep) struct store_rows *hosts = NULL, *lists = NULL;
	int rc = query_named(request->server, "prices", NULL, 0, &hosts, &reply->error);
	struct row_writer writer;

	if (!rc)
		rc = query_named(request->server, "price_lists", NULL, 0, &lists, &reply->error);
	if (rc)
		return rc;
	answer_begin(&writer, request, reply);
	query_rows_list(&writer, "hosts", hosts, NULL);
	query_rows_list(&writer, "lists", lists, NULL);
	write_catalogue(&writer);
	row_writer_end(&writer);
	return 0;
}

static void add_count(struct json *json, const char *key, uint64_t count)
{
	json_key(json, key);
	json_u64(json, count);
}

static void write_import(struct reply *reply, const struct price_import *import)
{
	const struct price_summary *summary = &import->summary;
	struct json json;

	reply->status = 201;
	json_init(&json, &reply->body, false);
	json_object_begin(&json);
	add_count(&json, "prices", summary->prices);
	add_count(&json, "hosts", (uint64_t)import->hosts);
	add_count(&json, "unknown_types", summary->unknown_types);
	add_count(&json, "unknown_regions", summary->unknown_regions);
	add_count(&json, "without_region", summary->without_region);
	add_count(&json, "without_type", summary->without_type);
	add_count(&json, "other_currency", summary->other_currency);
	add_count(&json, "no_price", summary->no_price);
	add_count(&json, "other_products", summary->other_products);
	json_object_end(&json);
}

int post_prices(struct request *request, struct reply *reply)
{
	const char *name = request_text(request, "list");
	const struct price_list list = { .bytes = request->body.data,
					 .len = request->body.len,
					 .name = name,
					 .date = request_text(request, "date") };
	struct price_import import;
	int rc;

	if (!utf8_is_plain(name, strlen(name)))
		return error_set(&reply->error, -EINVAL,
				 "list holds control characters, or is no UTF-8");
	rc = price_list_import(request->server, &list, &import, &reply->error);
	request_audit(request, "prices.update", name, rc ? error_text(&reply->error) : "done");
	if (!rc)
		write_import(reply, &import);
	return rc;
}

/* The id of the host that the request names. */
static int find_host(struct request *request, char id[128], struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("host", request_text(request, "host")) };
	CLEANUP(store_rows_freep) struct store_rows *hosts = NULL;
	int rc = QUERY(request->server, "hosts", params, &hosts, err);

	if (rc)
		return rc;
	if (!store_next(hosts))
		return error_set(err, -ENOENT,
				 "no host has the id or name \"%s\": see /api/v1/hosts",
				 request_text(request, "host"));
	snprintf(id, 128, "%s", row_text(hosts, "id"));
	if (store_next(hosts))
		return error_set(err, -EINVAL,
				 "several hosts have the name \"%s\": give the id of one, see "
				 "/api/v1/hosts",
				 request_text(request, "host"));
	return 0;
}

static int read_correction(const struct request *request, struct price_correction *correction,
			   struct error *err)
{
	const char *since = request_text(request, "since");
	const char *usd_hour = request_text(request, "usd_hour");

	correction->usd_hour = price_number_of(usd_hour);
	if (!(correction->usd_hour >= PRICE_LEAST && correction->usd_hour <= BOUND_PRICE_USD_HOUR))
		return error_set(err, -EINVAL,
				 "usd_hour is a number from 0.000001 to %d, not \"%s\"",
				 BOUND_PRICE_USD_HOUR, usd_hour ? usd_hour : "");
	correction->since_at = clock_real_ns();
	if (!since)
		return 0;
	correction->since_at = 0;
	return strcmp(since, "always") == 0 ? 0 : instant_parse(since, &correction->since_at, err);
}

int post_host_price(struct request *request, struct reply *reply)
{
	struct price_correction correction = { .source = "corrected" };
	char id[128], source[256], who[REQUEST_WHO_SIZE];
	struct json json;
	int rc;

	if (!request_text(request, "host"))
		return error_set(&reply->error, -EINVAL, "host is missing: its id or name");
	rc = read_correction(request, &correction, &reply->error);
	if (!rc)
		rc = find_host(request, id, &reply->error);
	if (rc)
		return rc;
	request_who(request, who);
	snprintf(source, sizeof(source), "corrected by %s", who);
	correction.host = id;
	correction.source = source;
	rc = price_correct(request->server, &correction, &reply->error);
	request_audit(request, "prices.set", id, rc ? error_text(&reply->error) : "done");
	if (rc)
		return rc;
	json_init(&json, &reply->body, false);
	json_object_begin(&json);
	json_key(&json, "id");
	json_text(&json, id);
	json_key(&json, "usd_hour");
	json_double(&json, correction.usd_hour);
	json_object_end(&json);
	return 0;
}
