/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "tune/failure/outcome.h"
#include "findings/verdict.h"
#include "server/billing/run_cost.h"

/*
 * What the lake concludes of a run: its findings, its verdict, and which failures of its processes
 * were expected.
 */
struct map;
struct process_key;
struct run_cache_kind;
struct run_stamp;
struct server;

extern const struct run_cache_kind ANALYSIS_CACHE; /* weighed by bytes, roughly */

/* A process that is not fine. */
struct analysis_process {
	char *host_id;
	int64_t pid, start_ns;
	enum process_outcome outcome;
};

/* When a running run is expected to end, by the earlier runs of its pipeline. */
struct analysis_end {
	bool known;
	int64_t low_at, end_at, high_at; /* ns since 1970; low to high: 80 % */
	double progress;                 /* 0 to 1; below 0: not known */
};

/* Not changed once it is made: several requests may use it at the same time. */
struct analysis {
	struct findings findings; /* failures first */
	struct verdict verdict;
	struct analysis_end expected;
	int64_t made_at; /* ns since 1970 */
	struct run_cost cost;
	bool costed;          /* cost is set: it was not read from a document */
	bool short_history;   /* with more earlier runs it would say more */
	bool end_alone;       /* of a run that runs: nothing but `expected` is set */
	bool asked;           /* a task has a request, with which its use can be compared */
	struct map *outcomes; /* 1 + enum process_outcome, by process; of the others it is fine */
	struct analysis_process *processes; /* the same as a list */
	size_t process_count, process_room;
	struct json_t *document; /* that it was read from (analysis_document.h); NULL: none */
	atomic_uint references;
};

/* Of the run with this id: what was found for an earlier request, where that is still right. It is
 * released by analysis_put. -ENOMEM, -ENOENT; -EIO with words. */
int analysis_get(struct analysis **ret, struct server *server, const char *id, struct error *err);
/* The same, but one with a short history is made again: earlier runs may have been settled since.
 */
int analysis_get_again(struct analysis **ret, struct server *server, const char *id,
		       struct error *err);
/* The same as analysis_get of a run with this stamp (query run_stamps). */
int analysis_get_stamped(struct analysis **ret, struct server *server, const char *id,
			 const struct run_stamp *stamp, struct error *err);
/* The same for a list: of a run that runs the expected end alone, unless more is known already. */
int analysis_get_listed(struct analysis **ret, struct server *server, const char *id,
			const struct run_stamp *stamp, struct error *err);
/* The last one, whatever the run did since. NULL: none was made, or the run has ended (`runs` is
 * false) and it was for a list of runs that run. */
struct analysis *analysis_last(struct server *server, const char *id, bool runs);
void analysis_put(struct analysis *analysis);
DEFINE_CLEANUP(struct analysis *, analysis_put)

/* One of which nothing is known. NULL: no memory. */
struct analysis *analysis_new(void);
/* Room for the outcomes of so many processes; once. -ENOMEM. */
int analysis_make_room(struct analysis *analysis, size_t processes);
/* Adds the outcome of a process. -ENOMEM. */
int analysis_add_process(struct analysis *analysis, const char *host_id, int64_t pid,
			 int64_t start_ns, enum process_outcome outcome);

/* Whether nothing in the run depends on what an event of this kind and process reports: an exit
 * code that is an answer, a program that was looked for in several folders, … */
bool analysis_is_expected(const struct analysis *analysis, const char *kind,
			  const struct process_key *process);
