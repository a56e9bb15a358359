/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/error.h"
#include "lake/store/store.h"

/*
 * The queries that a store answers, each with a name, parameters and result columns. They are the
 * same for every engine; an engine brings the SQL of each name. To add one: its name in the list
 * below, its parameters and columns in a queries_*.c, its .sql file in the folder
 * of each engine (src/lake/ENGINE/queries). The program does not link while one of them is missing.
 */
#define NAMED_QUERIES(Q)      \
	Q(activity_hosts)     \
	Q(activity_runs)      \
	Q(activity_steps)     \
	Q(activity_tasks)     \
	Q(activity_tools)     \
	Q(activity_up)        \
	Q(activity_used)      \
	Q(bill_hours)         \
	Q(bill_kinds)         \
	Q(bill_sums)          \
	Q(billed_rates)       \
	Q(bills)              \
	Q(boundary_hosts)     \
	Q(boundary_lifetimes) \
	Q(containers)         \
	Q(dataflow)           \
	Q(dataflow_tasks)     \
	Q(engine_reports)     \
	Q(events)             \
	Q(failure_events)     \
	Q(failure_opens)      \
	Q(failure_processes)  \
	Q(failure_run)        \
	Q(failure_tasks)      \
	Q(files)              \
	Q(gpu_samples)        \
	Q(gpus)               \
	Q(host_prices)        \
	Q(host_samples)       \
	Q(hosts)              \
	Q(io_latencies)       \
	Q(ledger_ranges)      \
	Q(linked_runs)        \
	Q(losses)             \
	Q(merged_runs)        \
	Q(metrics)            \
	Q(metrics_agents)     \
	Q(networks)           \
	Q(parts)              \
	Q(priced_hosts)       \
	Q(processes)          \
	Q(recording)          \
	Q(recording_scope)    \
	Q(resolve)            \
	Q(resolve_id)         \
	Q(run)                \
	Q(run_gpu_samples)    \
	Q(run_gpus)           \
	Q(run_head)           \
	Q(run_owners)         \
	Q(run_previous)       \
	Q(run_stamps)         \
	Q(run_span)           \
	Q(runs)               \
	Q(runs_readable)      \
	Q(runs_span)          \
	Q(samples)            \
	Q(samples_interval)   \
	Q(samples_shares)     \
	Q(samples_use)        \
	Q(settle_due)         \
	Q(settled_children)   \
	Q(settled_document)   \
	Q(settled_runs)       \
	Q(settled_touched)    \
	Q(shares)             \
	Q(slowness_devices)   \
	Q(slowness_files)     \
	Q(slowness_hosts)     \
	Q(slowness_others)    \
	Q(slowness_pipes)     \
	Q(slowness_stalls)    \
	Q(slowness_peers)     \
	Q(slowness_tasks)     \
	Q(slowness_tools)     \
	Q(step_history)       \
	Q(step_tasks)         \
	Q(steps)              \
	Q(syscalls)           \
	Q(tasks)              \
	Q(tools)              \
	Q(untracked)          \
	Q(wall_images)        \
	Q(wall_stamp)

/* A parameter or a column. */
struct query_field {
	const char *name;
	enum store_type type;
};

struct named_query {
	const char *name;
	/* Both lists end with a NULL name. Any parameter may be given as STORE_NULL, any column
	 * may hold nulls. An answer has exactly these columns, in an order that the engine chooses.
	 */
	const struct query_field *params, *columns;
};

/* All queries; *ret_count is set to their number. */
const struct named_query *const *named_queries(size_t *ret_count);
/* NULL: there is no query of this name. */
const struct named_query *named_query_find(const char *name);
/* Checks parameters against the query: each is given once, with a value of its type or STORE_NULL,
 * and no other is. -EINVAL with the parameter's name. */
int named_query_check(const struct named_query *query, const struct store_param *params,
		      size_t count, struct error *err);
