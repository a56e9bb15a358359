/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "correlate/tree/run_root.h"
#include "probe/api/probe.h"

struct attributor;
struct exec_context;

/*
 * The root of a run that no engine started. When a tool or a script begins outside of any run, its
 * ancestors are read in /proc; the one that started the work (correlate/tree/run_root.h) becomes
 * the root of a run, and is tracked from then on with all that descends from it. Where that is the
 * very process its image says so.
 */

#define RUN_ROOT_STRANGERS 64                /* parents that are known to start no work */
#define RUN_ROOT_NS        (100 * NS_PER_MS) /* a second; beyond, tools are of no run, and counted */

struct run_root_search {
	/* What was found last. */
	struct probe_key command, root;
	enum run_root_kind kind; /* of that root, until its image has been seen */

	struct probe_key strangers[RUN_ROOT_STRANGERS];
	unsigned next_stranger;
	uint64_t refused;  /* for which there was no time */
	uint64_t spent_ns; /* since the reading of this tick: */
	uint32_t tick;
	uint64_t began_ns; /* the search that is on */
	bool busy;         /* one is on: the processes that it places begin none */
	bool scanning;     /* what runs already is listed: no limit of time */
};

/* An image begins in a process that is in no run, nor is its parent. It is not in the tree yet.
 * Returns the key of a root that must be tracked before run_root_search_finish; its start_ns may be
 * off by less than a clock tick. NULL: there is none, or it is tracked. */
struct probe_key *run_root_search(struct attributor *attributor, struct exec_context *exec);
/* Places a root that was to be tracked first, and what descends from it. */
void run_root_search_finish(struct attributor *attributor, struct exec_context *exec);
/* The kind of run, where this process's image begins the run of the root that was found. */
enum run_root_kind run_root_search_take(struct run_root_search *search,
					const struct probe_key *key);
