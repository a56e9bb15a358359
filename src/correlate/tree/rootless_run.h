/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * Runs of several processes of which none started the others: something else begins them, one
 * after another or together, and each bears what the run is known by: a scheduler's job (job.h),
 * an engine's run (daemon_run.h). Such a run ends with the last of them, and goes on with the next.
 */
struct tree;
struct attribution;
struct run;
struct ending;
struct id;

#define ROOTLESS_RUNS_IDLE 64 /* runs of which nothing runs just now: more of them may begin */

/* The live run of this id, NULL: none. */
struct run *rootless_run_find(const struct tree *tree, const struct id *id);
/* One more process of it. */
void rootless_run_enter(struct tree *tree, struct run *run);
/* One of them has ended; run->end says how all did so far. */
void rootless_run_leave(struct tree *tree, struct run *run);
