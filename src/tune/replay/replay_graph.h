/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/replay/engine_slots.h"
#include "tune/replay/replay_run.h"
#include "tune/replay/replay_schedule.h"
#include "tune/replay/task_shape.h"

/*
 * The jobs of a run and what each needs: the engine until its first task, the tasks in the order in
 * which they began, and the engine after the last one. Why a task began when it did is one of:
 *   - its last input was there (edges of files; what it read later than it began it did not wait
 * for);
 *   - a slot became free, where all were taken while its input was there;
 *   - where neither explains it: the task that ended last before.
 * What it took from then on is the engine's own time. Pure.
 */
struct replay_graph {
	struct replay_plan plan;
	struct replay_job *jobs; /* the engine's first, and its last; between them, tasks */
	struct replay_need *needs;
	struct task_shape *shapes; /* beside jobs */
	size_t *tasks;             /* beside jobs: the task of the run; FLOW_NONE: the engine */
	size_t edges;              /* of files between tasks that ran */
	size_t contradictions;     /* of these: of which the times cannot be */
	size_t guessed;    /* tasks that are believed to have waited for the last that ended */
	double slots_peak; /* that tasks took at most */
};

/* The slots that the tasks of a run took at most. 0, or -ENOMEM. */
int replay_graph_peak(const struct replay_run *run, double *ret);
/* cores, slots: that the run had. 0, or -ENOMEM; replay_graph_clear in any case. */
int replay_graph_make(struct replay_graph *graph, const struct replay_run *run, double cores,
		      const struct engine_slots *slots);
void replay_graph_clear(struct replay_graph *graph);
