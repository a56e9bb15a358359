/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/settle/duckdb_settle.h"

#include "base/cleanup.h"
#include "lake/store/rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Which macros a query about one run reads: those of the schema `settled` where its run is settled
 * (schema/views/settled.sql). They find the run by its number, the variable `settled`. */

DEFINE_CLEANUP(struct store_rows *, store_rows_free)

#define NUMBER "SELECT number FROM settled WHERE run_id = $run"
/* As many rows as ingest/settle_sums.sql stores. */
#define FLOW NUMBER " AND $limit >= 100001"

/* In buckets of this length. */
#define SERIES                                                              \
	"SELECT number FROM settled JOIN settled_intervals USING (number) " \
	"WHERE run_id = $run AND interval_s = $interval_s AND keyed_by = "

/* All runs are settled. */
#define ALL                                                                           \
	"SELECT 0::BIGINT AS number WHERE NOT EXISTS (FROM runs WHERE run_id NOT IN " \
	"(SELECT run_id FROM settled_activity) AND run_id NOT IN (SELECT part_id FROM parts))"

/* No execution is of another run, also of none that is known. (DuckDB gathers the runs of
 * executions in a fraction of the time in which it looks up that of each.) */
#define ALL_WORK                                                                            \
	"SELECT 0::BIGINT AS number WHERE NOT EXISTS (FROM (SELECT run_id FROM executions " \
	"GROUP BY run_id) WHERE run_id <> '' AND run_id NOT IN (SELECT run_id FROM "        \
	"settled_activity))"

/* The runs that may have held something within a time, and are not settled. */
#define HOLDERS                                                                      \
	"SET VARIABLE holders = (SELECT list(run_id) FROM holders_between(first_of(" \
	"$since_at), last_of($until_at)))"
#define NO_HOLDERS                                                                    \
	"SELECT 0::BIGINT AS number WHERE NOT EXISTS (FROM holders_between(first_of(" \
	"$since_at), last_of($until_at)))"

/* The runs of a page of the list, and those of them that are not settled. */
#define PAGE                                                                                \
	"SET VARIABLE page = (SELECT coalesce(list({run_id: run_id, rank: rank}), []) "     \
	"FROM page_of_runs($reader::VARCHAR, $sort, $status::VARCHAR, $pipeline::VARCHAR, " \
	"$cursor::VARCHAR, $limit))"
#define UNSETTLED                                                                    \
	"SET VARIABLE unsettled = (SELECT list(run_id) FROM "                        \
	"(SELECT unnest(getvariable('page')).run_id AS run_id) WHERE run_id NOT IN " \
	"(SELECT run_id FROM settled))"

/* number: the statement that says whether its answer is stored. page: what it reads besides. Where
 * `number` has no row, `before` is run, and then `then`, which says the same. */
static const struct reader {
	const char *query, *number, *page, *before, *then;
} READERS[] = {
	{ "activity_used", ALL_WORK, NULL, NULL, NULL },
	{ "dataflow", FLOW, NULL, NULL, NULL },
	{ "dataflow_tasks", FLOW, NULL, NULL, NULL },
	{ "holds", NO_HOLDERS, NULL, HOLDERS, NULL },
	{ "losses", NUMBER, NULL, NULL, NULL },
	{ "run", NUMBER, NULL, NULL, NULL },
	{ "run_gpu_samples", NUMBER, NULL, NULL, NULL },
	{ "run_gpus", NUMBER, NULL, NULL, NULL },
	{ "run_head", NUMBER, NULL, NULL, NULL },
	{ "run_span", NUMBER, NULL, NULL, NULL },
	{ "run_stamps", NUMBER, NULL, NULL, NULL },
	{ "runs", ALL, PAGE, UNSETTLED,
	  "SELECT 0::BIGINT AS number WHERE getvariable('unsettled') IS NULL" },
	{ "samples", SERIES "$by", NULL, NULL, NULL },
	{ "samples_interval", NUMBER, NULL, NULL, NULL },
	{ "samples_shares", SERIES "'task'", NULL, NULL, NULL },
	{ "samples_use", SERIES "$by", NULL, NULL, NULL },
	{ "shares", NUMBER, NULL, NULL, NULL },
	{ "step_tasks", NUMBER, NULL, NULL, NULL },
	{ "steps", NUMBER, NULL, NULL, NULL },
	{ "tasks", NUMBER, NULL, NULL, NULL },
	{ "tools", NUMBER, NULL, NULL, NULL },
	{ "wall_stamp", NUMBER, NULL, NULL, NULL },
};

static const struct reader *find(const char *query)
{
	for (size_t i = 0; i < sizeof(READERS) / sizeof(READERS[0]); i++)
		if (strcmp(READERS[i].query, query) == 0)
			return &READERS[i];
	return NULL;
}

/* *ret: rows at the number of a run, or 0. No row: not that. */
static int look(duckdb_connection connection, const char *sql, const struct store_param *params,
		size_t count, struct store_rows **ret, bool *ret_any, struct error *err)
{
	int rc = duckdb_query_named(connection, sql, params, count, ret, err);

	*ret_any = !rc && store_next(*ret);
	return rc;
}

static int run_statement(duckdb_connection connection, const char *sql,
			 const struct store_param *params, size_t count, struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *none = NULL;

	return sql ? duckdb_query_named(connection, sql, params, count, &none, err) : 0;
}

/* The macros of the schema `settled`, about the run with this number. */
static int use_settled(duckdb_connection connection, int64_t number, struct error *err)
{
	char set[96];

	snprintf(set, sizeof(set),
		 "SET VARIABLE settled = %" PRId64 "; SET search_path = 'settled,main'", number);
	return duckdb_run(connection, set, "the store's views", err);
}

/* Where the answer is not stored as a whole. */
static int choose_part(duckdb_connection connection, const struct reader *reader,
		       const struct store_param *params, size_t count, bool *ret_settled,
		       struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = run_statement(connection, reader->page, params, count, err);

	if (!rc)
		rc = run_statement(connection, reader->before, params, count, err);
	if (!rc && reader->then)
		rc = look(connection, reader->then, params, count, &rows, ret_settled, err);
	return rc || !*ret_settled ? rc : use_settled(connection, store_i64(rows, 0), err);
}

int duckdb_choose_settled(duckdb_connection connection, const char *query,
			  const struct store_param *params, size_t count, bool *ret_settled,
			  struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	const struct reader *reader = find(query);
	int rc;

	*ret_settled = false;
	if (!reader)
		return 0;
	rc = look(connection, reader->number, params, count, &rows, ret_settled, err);
	if (rc || !*ret_settled)
		return rc ? rc : choose_part(connection, reader, params, count, ret_settled, err);
	rc = use_settled(connection, store_i64(rows, 0), err);
	return rc ? rc : run_statement(connection, reader->page, params, count, err);
}
