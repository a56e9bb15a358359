/* SPDX-License-Identifier: Apache-2.0 */
#include "server/billing/sheet_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cloud/cloud.h"
#include "cost/policy/policy.h"
#include "cost/sheet_fill.h"
#include "server/billing/sheet_rates.h"
#include "server/query/beside.h"
#include "server/query/query.h"
#include "server/server.h"

/* The parts of a sheet, each of a query. */
struct reading {
	struct server *server;
	const struct sheet_ask *ask;
	struct sheet *sheet;
};

static int add_host(struct sheet *sheet, const struct store_rows *rows)
{
	uint32_t weights[COST_KINDS];
	const struct sheet_host_facts facts = {
		.id = row_text(rows, "id"),
		.hostname = row_text(rows, "hostname"),
		.provider = row_text(rows, "provider"),
		.region = row_text(rows, "region"),
		.zone = row_text(rows, "zone"),
		.instance_type = row_text(rows, "instance_type"),
		.instance_id = row_text(rows, "instance_id"),
		.account_id = row_text(rows, "account_id"),
		.purchase = row_text(rows, "purchase"),
		.cpus = row_double(rows, "cpus"),
		.memory_bytes = (uint64_t)row_i64(rows, "memory_bytes"),
		.gpus = (uint64_t)row_i64(rows, "gpus"),
		.weight_ppm = weights,
	};

	cloud_weights(facts.provider, facts.instance_type,
		      &(struct cloud_size){ facts.cpus, (double)facts.gpus, facts.memory_bytes },
		      weights);
	return sheet_add_host(sheet, &facts);
}

static int read_hosts(struct reading *reading, struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = query_named(reading->server, "priced_hosts", NULL, 0, &rows, err);

	while (rc == 0 && store_next(rows))
		rc = add_host(reading->sheet, rows);
	return rc;
}

static int read_prices(struct reading *reading, struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = query_named(reading->server, "host_prices", NULL, 0, &rows, err);

	while (rc == 0 && store_next(rows)) {
		size_t host = sheet_host(reading->sheet, row_text(rows, "host_id"));
		int64_t since_at = row_i64(rows, "since_at");

		if (host != SIZE_MAX)
			rc = sheet_add_price(reading->sheet, host, since_at ? since_at : INT64_MIN,
					     row_double(rows, "usd_hour"),
					     row_text(rows, "source"));
	}
	return rc;
}

/* With what decides of gaps at its ends. */
#define WINDOW(reading)                                                                    \
	{                                                                                  \
		PARAM_TIME("since_at", (reading)->sheet->since_at - SHEET_GAP_NS),         \
			PARAM_TIME("until_at", (reading)->sheet->until_at + SHEET_GAP_NS), \
	}

static int read_up(struct reading *reading, struct error *err)
{
	const struct store_param window[] = WINDOW(reading);
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = QUERY(reading->server, "activity_up", window, &rows, err);

	while (rc == 0 && store_next(rows)) {
		size_t host = sheet_host(reading->sheet, row_text(rows, "host_id"));

		if (host != SIZE_MAX)
			rc = sheet_add_up(reading->sheet, host, row_i64(rows, "since_at"),
					  row_i64(rows, "until_at"));
	}
	return rc;
}

static int read_runs(struct reading *reading, struct error *err)
{
	const struct store_param window[] = WINDOW(reading);
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = QUERY(reading->server, "hold_runs", window, &rows, err);

	while (rc == 0 && store_next(rows)) {
		const struct sheet_run_facts facts = {
			.id = row_text(rows, "id"),
			.name = row_text(rows, "name"),
			.pipeline = row_text(rows, "pipeline"),
			.user = row_text(rows, "user"),
			.engine = row_text(rows, "engine"),
			.cwd = row_text(rows, "cwd"),
			.labels = row_text(rows, "labels"),
		};

		rc = sheet_add_run(reading->sheet, &facts);
	}
	return rc;
}

/* The columns of the query holds: it has many rows, and to look for each by its name takes most of
 * the time. */
enum {
	HOLD_RUN,
	HOLD_HOST,
	HOLD_TASK,
	HOLD_STEP,
	HOLD_NAME,
	HOLD_SAMPLE,
	HOLD_CONTAINER,
	HOLD_POD,
	HOLD_TOOLS,
	HOLD_SINCE,
	HOLD_UNTIL,
	HOLD_CPU,
	HOLD_CPUS,
	HOLD_MEMORY,
	HOLD_REQUESTED,
	HOLD_GPU,
	HOLD_GPUS,
	HOLD_INPUT,
	HOLD_COLUMNS
};

static void find_columns(const struct store_rows *rows, size_t ret[HOLD_COLUMNS])
{
	static const char *const NAMES[HOLD_COLUMNS] = {
		[HOLD_RUN] = "run_id",
		[HOLD_HOST] = "host_id",
		[HOLD_TASK] = "task_id",
		[HOLD_STEP] = "step",
		[HOLD_NAME] = "name",
		[HOLD_SAMPLE] = "sample",
		[HOLD_CONTAINER] = "container",
		[HOLD_POD] = "pod",
		[HOLD_TOOLS] = "tools",
		[HOLD_SINCE] = "since_at",
		[HOLD_UNTIL] = "until_at",
		[HOLD_CPU] = "cpu_ns",
		[HOLD_CPUS] = "cpus_requested",
		[HOLD_MEMORY] = "memory_bytes",
		[HOLD_REQUESTED] = "memory_requested_bytes",
		[HOLD_GPU] = "gpu_busy_ns",
		[HOLD_GPUS] = "gpus",
		[HOLD_INPUT] = "input_bytes",
	};

	for (size_t i = 0; i < HOLD_COLUMNS; i++)
		ret[i] = (size_t)store_column(rows, NAMES[i]);
}

static const char *text_of(const struct store_rows *rows, size_t column)
{
	const char *text = store_text(rows, column);

	return text ? text : "";
}

static int add_hold(struct sheet *sheet, const struct store_rows *rows,
		    const size_t at[HOLD_COLUMNS])
{
	const struct sheet_hold_facts facts = {
		.host = sheet_host(sheet, text_of(rows, at[HOLD_HOST])),
		.run = sheet_run(sheet, text_of(rows, at[HOLD_RUN])),
		.task = text_of(rows, at[HOLD_TASK]),
		.step = text_of(rows, at[HOLD_STEP]),
		.name = text_of(rows, at[HOLD_NAME]),
		.sample = text_of(rows, at[HOLD_SAMPLE]),
		.container = text_of(rows, at[HOLD_CONTAINER]),
		.pod = text_of(rows, at[HOLD_POD]),
		.tools = text_of(rows, at[HOLD_TOOLS]),
		.since_at = store_i64(rows, at[HOLD_SINCE]),
		.until_at = store_i64(rows, at[HOLD_UNTIL]),
		.cpu_ns = (uint64_t)store_i64(rows, at[HOLD_CPU]),
		.gpu_busy_ns = (uint64_t)store_i64(rows, at[HOLD_GPU]),
		.cpus_requested = store_double(rows, at[HOLD_CPUS]),
		.memory_bytes = (uint64_t)store_i64(rows, at[HOLD_MEMORY]),
		.memory_requested_bytes = (uint64_t)store_i64(rows, at[HOLD_REQUESTED]),
		.gpus = (uint64_t)store_i64(rows, at[HOLD_GPUS]),
		.input_bytes =
			store_is_null(rows, at[HOLD_INPUT]) ? -1 : store_i64(rows, at[HOLD_INPUT]),
	};

	return facts.host == SIZE_MAX || facts.run == SIZE_MAX ? 0 : sheet_add_hold(sheet, &facts);
}

/* Rows of an answer, for the bound of its memory (rows.h). */
#define HOLDS_MAX 100000

static int count_parts(struct reading *reading, int64_t *ret, struct error *err)
{
	const struct store_param window[] = WINDOW(reading);
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = QUERY(reading->server, "holds_count", window, &rows, err);

	*ret = rc == 0 && store_next(rows) ? row_i64(rows, "holds") / HOLDS_MAX + 1 : 1;
	return rc;
}

static int read_holds(struct reading *reading, int64_t part, int64_t parts, struct store_rows **ret,
		      struct error *err)
{
	const struct store_param params[] = {
		PARAM_TIME("since_at", reading->sheet->since_at - SHEET_GAP_NS),
		PARAM_TIME("until_at", reading->sheet->until_at + SHEET_GAP_NS),
		PARAM_I64("part", part), PARAM_I64("parts", parts)
	};

	return QUERY(reading->server, "holds", params, ret, err);
}

static int add_holds(struct reading *reading, struct store_rows *rows)
{
	size_t columns[HOLD_COLUMNS];
	int rc = 0;

	find_columns(rows, columns);
	while (rc == 0 && store_next(rows))
		rc = add_hold(reading->sheet, rows, columns);
	return rc;
}

/* Beside the holds: all that these need. */
static int read_rest(void *context, struct error *err)
{
	struct reading *reading = context;
	int rc = read_runs(reading, err);

	if (rc == 0)
		rc = read_up(reading, err);
	return rc || !reading->ask->billed ? rc
					   : sheet_read_rates(reading->server, reading->sheet, err);
}

/* The first part is read beside what all need. */
static int read_first(struct reading *reading, int64_t parts, struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *holds = NULL;
	struct error words = { "" };
	struct beside beside;
	int rc, rest;

	beside_begin(&beside, read_rest, reading);
	rc = read_holds(reading, 0, parts, &holds, err);
	rest = beside_end(&beside, &words);
	if (rc == 0 && rest)
		*err = words;
	rc = rc ? rc : rest;
	return rc ? rc : add_holds(reading, holds);
}

static int read_work(struct reading *reading, struct error *err)
{
	int64_t parts;
	int rc = count_parts(reading, &parts, err);

	if (rc == 0)
		rc = read_first(reading, parts, err);
	for (int64_t part = 1; rc == 0 && part < parts; part++) {
		CLEANUP(store_rows_freep) struct store_rows *holds = NULL;

		rc = read_holds(reading, part, parts, &holds, err);
		if (rc == 0)
			rc = add_holds(reading, holds);
	}
	return rc ? rc : sheet_split(reading->sheet, reading->ask->rule);
}

static bool any_price(const struct sheet *sheet)
{
	for (size_t i = 0; i < sheet->host_count; i++)
		for (size_t j = 0; j < sheet->hosts[i].price_count; j++)
			if (sheet->hosts[i].prices[j].known)
				return true;
	return false;
}

static int read_all(struct reading *reading, bool hosts_only, struct error *err)
{
	int rc = read_hosts(reading, err);

	if (rc == 0)
		rc = read_prices(reading, err);
	if (rc || hosts_only || (reading->ask->costs_only && !any_price(reading->sheet)))
		return rc;
	return read_work(reading, err);
}

static int make(struct server *server, const struct sheet_ask *ask, bool hosts_only,
		struct sheet **ret, struct error *err)
{
	CLEANUP(sheet_freep)
	struct sheet *sheet = sheet_new(ask->since_at, ask->until_at, ask->bucket);
	struct reading reading = { server, ask, sheet };
	int rc = sheet ? read_all(&reading, hosts_only, err) : -ENOMEM;

	if (rc)
		return err->text[0] ? rc : error_set(err, rc, "the costs: %s", strerror(-rc));
	*ret = TAKE_PTR(sheet);
	return 0;
}

int sheet_read(struct server *server, const struct sheet_ask *ask, struct sheet **ret,
	       struct error *err)
{
	return make(server, ask, false, ret, err);
}

enum cost_rule sheet_rule(const struct server *server)
{
	return server->policy ? server->policy->rule : COST_RULE_HELD;
}

int sheet_read_hosts(struct server *server, struct sheet **ret, struct error *err)
{
	return make(server, &(struct sheet_ask){ 0 }, true, ret, err);
}
