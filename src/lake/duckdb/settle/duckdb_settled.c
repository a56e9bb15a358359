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

/* And none of them was at one of these instants. */
#define ALL_INSIDE \
	ALL " AND NOT EXISTS (FROM settled_across(first_of($since_at), last_of($until_at)))"

/* No execution is of another run, also of none that is known. (DuckDB gathers the runs of
 * executions in a fraction of the time in which it looks up that of each.) */
#define ALL_WORK                                                                            \
	"SELECT 0::BIGINT AS number WHERE NOT EXISTS (FROM (SELECT run_id FROM executions " \
	"GROUP BY run_id) WHERE run_id <> '' AND run_id NOT IN (SELECT run_id FROM "        \
	"settled_activity))"

/* A time in which all of its executions were. */
#define WITHIN                                                                        \
	NUMBER " AND NOT EXISTS (FROM settled_activity_runs WHERE run_id = $run AND " \
	       "(since_at <= $since_at::TIMESTAMP OR until_at >= $until_at::TIMESTAMP))"

/* The runs of a page that are not settled. */
#define UNSETTLED                                                                         \
	"SET VARIABLE unsettled = (SELECT list(run_id) FROM page_of_runs($reader::"       \
	"VARCHAR, $sort, $status::VARCHAR, $pipeline::VARCHAR, $cursor::VARCHAR, $limit)" \
	" WHERE run_id NOT IN (SELECT run_id FROM settled))"

/* number: the statement that says whether its answer is stored; before: where that has no row, what
 * is run before `then`, which says the same. */
static const struct reader {
	const char *query, *number, *before, *then;
} READERS[] = {
	{ "activity_runs", ALL, NULL, NULL },
	{ "activity_steps", ALL_INSIDE, NULL, NULL },
	{ "activity_tools", ALL_INSIDE, NULL, NULL },
	{ "activity_tasks", WITHIN, NULL, NULL },
	{ "activity_used", ALL_WORK, NULL, NULL },
	{ "dataflow", FLOW, NULL, NULL },
	{ "dataflow_tasks", FLOW, NULL, NULL },
	{ "losses", NUMBER, NULL, NULL },
	{ "run", NUMBER, NULL, NULL },
	{ "run_gpu_samples", NUMBER, NULL, NULL },
	{ "run_gpus", NUMBER, NULL, NULL },
	{ "run_head", NUMBER, NULL, NULL },
	{ "run_span", NUMBER, NULL, NULL },
	{ "run_stamps", NUMBER, NULL, NULL },
	{ "runs", ALL, UNSETTLED,
	  "SELECT 0::BIGINT AS number WHERE getvariable('unsettled') IS NULL" },
	{ "samples", SERIES "$by", NULL, NULL },
	{ "samples_interval", NUMBER, NULL, NULL },
	{ "samples_shares", SERIES "'task'", NULL, NULL },
	{ "samples_use", SERIES "$by", NULL, NULL },
	{ "shares", NUMBER, NULL, NULL },
	{ "steps", NUMBER, NULL, NULL },
	{ "tasks", NUMBER, NULL, NULL },
	{ "tools", NUMBER, NULL, NULL },
	{ "wall_stamp", NUMBER, NULL, NULL },
};

static const struct reader *find(const char *query)
{
	for (size_t i = 0; i < sizeof(READERS) / sizeof(READERS[0]); i++)
		if (strcmp(READERS[i].query, query) == 0)
			return &READERS[i];
	return NULL;
}

#define PARAMS_MAX 8 /* of a reader */

/* Runs a statement with those of the parameters that it names. */
static int ask(duckdb_connection connection, const char *sql, const struct store_param *params,
	       size_t count, struct store_rows **ret, struct error *err)
{
	struct store_param named[PARAMS_MAX] = { 0 };
	size_t found = 0;

	for (size_t i = 0; i < count && found < PARAMS_MAX; i++) {
		char word[32];

		snprintf(word, sizeof(word), "$%s", params[i].name);
		if (strstr(sql, word))
			named[found++] = params[i];
	}
	return duckdb_query_rows(connection, sql, named, found, ret, err);
}

/* *ret: rows at the number of the run, 0 of a query about many; NULL where the answer is not
 * stored. */
static int find_number(duckdb_connection connection, const struct reader *reader,
		       const struct store_param *params, size_t count, struct store_rows **ret,
		       struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL, *then = NULL, *none = NULL;
	int rc = ask(connection, reader->number, params, count, &rows, err);

	if (!rc && store_next(rows)) {
		*ret = TAKE_PTR(rows);
		return 0;
	}
	if (!rc && reader->before)
		rc = ask(connection, reader->before, params, count, &none, err);
	if (!rc && reader->before)
		rc = ask(connection, reader->then, params, count, &then, err);
	if (!rc && then && store_next(then))
		*ret = TAKE_PTR(then);
	return rc;
}

int duckdb_choose_settled(duckdb_connection connection, const char *query,
			  const struct store_param *params, size_t count, bool *ret_settled,
			  struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	const struct reader *reader = find(query);
	char set[96];
	int rc = reader ? find_number(connection, reader, params, count, &rows, err) : 0;

	*ret_settled = !rc && rows;
	if (rc || !rows)
		return rc;
	snprintf(set, sizeof(set),
		 "SET VARIABLE settled = %" PRId64 "; SET search_path = 'settled,main'",
		 store_i64(rows, 0));
	return duckdb_run(connection, set, "the store's views", err);
}
