/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The .sql files of this folder, which travel inside the program. A query of queries/ is found by
 * its file's name; adding one is a file and a word here (a test holds both together).
 */
#define SQL_QUERIES(Q)      \
	Q(activity_hosts)   \
	Q(activity_runs)    \
	Q(activity_tasks)   \
	Q(activity_tools)   \
	Q(activity_up)      \
	Q(activity_used)    \
	Q(boundary_host)    \
	Q(boundary_lives)   \
	Q(containers)       \
	Q(dataflow)         \
	Q(dataflow_tasks)   \
	Q(events)           \
	Q(gpu_samples)      \
	Q(gpus)             \
	Q(files)            \
	Q(host_samples)     \
	Q(hosts)            \
	Q(io_latencies)     \
	Q(losses)           \
	Q(metrics)          \
	Q(metrics_agents)   \
	Q(networks)         \
	Q(parts)            \
	Q(processes)        \
	Q(recording)        \
	Q(recording_scope)  \
	Q(resolve)          \
	Q(run)              \
	Q(run_gpu_samples)  \
	Q(run_gpus)         \
	Q(run_span)         \
	Q(runs)             \
	Q(samples)          \
	Q(samples_interval) \
	Q(shares)           \
	Q(steps)            \
	Q(syscalls)         \
	Q(tasks)            \
	Q(told)             \
	Q(tools)            \
	Q(untracked)

/* The text of queries/NAME.sql, or NULL: there is none. */
const char *sql_query(const char *name);

/* schema/NAME.sql */
extern const char sql_schema[]; /* tables */
extern const char sql_views[];  /* views and macros that the queries share; replaced at each open */
extern const char sql_queue[];  /* behind these: what queued tasks waited for */
extern const char sql_staging[];
extern const char sql_ledger_find[];
extern const char sql_ledger_add[];
extern const char sql_close_lost[];
extern const char sql_merge_hosts[];
extern const char sql_merge_containers[];
extern const char sql_merge_runs[];
extern const char sql_merge_tasks[];
extern const char sql_merge_executions[];
extern const char sql_merge_gpus[];
extern const char sql_merge_networks[];
extern const char sql_merge_links[];
extern const char sql_join_next[]; /* which run is a part of which */
extern const char sql_join_enter[];
extern const char sql_merge_told_runs[];
extern const char sql_merge_told_tasks[];
extern const char sql_link_told[];
