/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "base/error.h"
#include "lake/store/store.h"

/*
 * Decides which runs, each reported by its own agent, are parts of one run. Agents report links of
 * a run (message Link): of two runs with a link of the same kind and value one may be a part of the
 * other. From the most to the least trusted kind:
 *
 * - folder: a job of an engine is a part of the run of that engine, on any host, that works in
 *   the same folder at that time; where several runs do, it is a part of none
 * - workflow: nodes (pods) of one workflow of Argo, within a day
 * - job: runs of two hosts in one job of a scheduler (the jobs of an array are one)
 * - container: runs of two agents in one container
 * - trace: runs with the same TRACER_TRACE_ID that overlap or lie within a day; the same command,
 *   started after the first had ended, is another run
 *
 * Of two runs the head is the one with an engine that started the other, else the one that started
 * first. Clocks of hosts differ: a minute is allowed. Pure: rows in, joins out.
 */
struct merged_runs;
struct run_match;

/* A part and the run it belongs to; reason and value are the kind and value of the link. */
struct run_join {
	const char *part_id, *run_id, *reason, *value;
};

/* linked is an answer of the query `linked_runs`, and must outlive the match. known: joins that the
 * answer may lack; NULL: none. -ENOMEM with words. */
int run_match_new(struct run_match **ret, struct store_rows *linked,
		  const struct merged_runs *known, struct error *err);
void run_match_free(struct run_match *match); /* NULL is fine */
/* The next join, the most trusted first, given that the earlier ones are made; false: there is
 * none. Its texts are valid as long as the match and the rows. */
bool run_match_next(struct run_match *match, struct run_join *ret);
/* How many pairs of runs were compared: a few for each run, unless nothing fits. */
size_t run_match_compared(const struct run_match *match);
