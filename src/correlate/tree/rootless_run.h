/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * Runs of several processes that share no ancestor in the run: a daemon starts them, one after
 * another or together, and each carries the id of the run: a scheduler's job (job.h) or an engine's
 * run (daemon_run.h). Such a run becomes idle with the end of its last process, and goes on with
 * the next process.
 */
struct tree;
struct attribution;
struct run;
struct ending;
struct id;

#define ROOTLESS_RUNS_IDLE                                                     \
	64 /* idle runs that are kept, since another process of them may begin \
	    */

/* The live or idle run of this id; NULL: none. */
struct run *rootless_run_find(const struct tree *tree, const struct id *id);
/* One more process of the run began. */
void rootless_run_enter(struct tree *tree, struct run *run);
/* A process of the run ended; run->end holds the outcome so far. */
void rootless_run_leave(struct tree *tree, struct run *run);
