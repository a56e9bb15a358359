/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_sql.h"

#include "lake/store/named_query.h"

#include <string.h>

#define TABLES(T)           \
	T(layout)           \
	T(hosts)            \
	T(host_rollups)     \
	T(settled_activity) \
	T(containers)       \
	T(runs)             \
	T(tasks)            \
	T(executions)       \
	T(samples)          \
	T(networks)         \
	T(files)            \
	T(io_latencies)     \
	T(syscalls)         \
	T(gpus)             \
	T(events)           \
	T(losses)           \
	T(scans)            \
	T(engine_reports)   \
	T(expired)          \
	T(archived)         \
	T(bills)            \
	T(prices)           \
	T(inventory)        \
	T(ledger)           \
	T(settled)          \
	T(wastes)

/* DuckDB looks up the tables, views and scalar macros that a view or macro uses when it is created:
 * a file comes after those it uses. Only table macros are looked up by the query that uses them. */
#define VIEWS(V)           \
	V(values)          \
	V(ledger)          \
	V(host_rollups)    \
	V(host_prices)     \
	V(figure_kinds)    \
	V(figures)         \
	V(samples)         \
	V(executions)      \
	V(executions_now)  \
	V(engine_reports)  \
	V(merged_runs)     \
	V(tasks)           \
	V(failures)        \
	V(runs)            \
	V(activity)        \
	V(queue)           \
	V(task_rows)       \
	V(task_facts)      \
	V(holds)           \
	V(losses)          \
	V(gpus)            \
	V(sums)            \
	V(series)          \
	V(dataflow)        \
	V(paging)          \
	V(settled)         \
	V(stamps)          \
	V(kept_costs)      \
	V(archived)        \
	V(bills)           \
	V(task_samples)    \
	V(task_signatures) \
	V(run_folders)

/* The tables with a key, and the file of each. */
#define MERGES(M)                        \
	M(hosts, hosts)                  \
	M(containers, containers)        \
	M(runs, runs)                    \
	M(tasks, tasks)                  \
	M(executions, executions)        \
	M(gpus, gpus)                    \
	M(networks, networks)            \
	M(links, links)                  \
	M(told_runs, engine_report_runs) \
	M(told_tasks, engine_report_tasks)

#define DECLARE_TABLE(name)        extern const char duckdb_sql_table_##name[];
#define DECLARE_VIEW(name)         extern const char duckdb_sql_view_##name[];
#define DECLARE_MERGE(table, name) extern const char duckdb_sql_ingest_merge_##name[];
#define DECLARE_QUERY(name)        extern const char duckdb_sql_query_##name[];
TABLES(DECLARE_TABLE)
VIEWS(DECLARE_VIEW)
MERGES(DECLARE_MERGE)
NAMED_QUERIES(DECLARE_QUERY)

#define TABLE_ENTRY(name) { "tables/" #name ".sql", duckdb_sql_table_##name },
const struct duckdb_sql DUCKDB_TABLES[] = { TABLES(TABLE_ENTRY){ NULL, NULL } };

#define VIEW_ENTRY(name) { "views/" #name ".sql", duckdb_sql_view_##name },
const struct duckdb_sql DUCKDB_VIEWS[] = { VIEWS(VIEW_ENTRY){ NULL, NULL } };

#define MERGE_ENTRY(table, name) { #table, duckdb_sql_ingest_merge_##name },
static const struct duckdb_sql merges[] = { MERGES(MERGE_ENTRY){ NULL, NULL } };

#define QUERY_ENTRY(name) { #name, duckdb_sql_query_##name },
static const struct duckdb_sql queries[] = { NAMED_QUERIES(QUERY_ENTRY){ NULL, NULL } };

static const char *find(const struct duckdb_sql *list, const char *name)
{
	for (; list->name; list++)
		if (!strcmp(list->name, name))
			return list->text;
	return NULL;
}

const char *duckdb_sql_query(const char *name)
{
	return find(queries, name);
}

const char *duckdb_sql_merge(const char *table)
{
	return find(merges, table);
}
