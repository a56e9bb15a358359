/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "correlate/engines/engine.h"
#include "correlate/model/entity.h"
#include "correlate/tree/job.h"
#include "correlate/tree/rootless_run.h"
#include "correlate/tree/tree.h"

/* The inside of struct tree, for the files of this folder. */
#define HOST_ID_SIZE 129

struct tree {
	const struct rules *rules;
	char host_id[HOST_ID_SIZE];
	size_t run_cap, task_cap;
	uint64_t refused;
	struct entities entities;
	struct entity *lent; /* returned last by tree_next_change; a reference */
	struct map *limits;  /* of cgroups */
	uint32_t ranks;      /* numbers given to roots of tasks */
	size_t queued;       /* tasks that have not begun (queue.h) */
	bool unsettled;      /* a task waits for tree_settle */
	struct run *idle_runs[ROOTLESS_RUNS_IDLE]; /* live runs without a live process */
	unsigned next_idle;
};

/* The task of a process, merges resolved; NULL: none. */
struct task *attribution_task(const struct attribution *attribution);
void attribution_set_run(struct attribution *attribution, struct run *run);
void attribution_set_task(struct attribution *attribution, struct task *task);
void attribution_drop_task(struct attribution *attribution);
void attribution_clear(struct attribution *attribution);
/* Ends a task: its last root has ended. */
void tree_end_task(struct tree *tree, struct task *task);
/* Takes a process out of its task, as if the process had ended. */
void tree_leave_task(struct tree *tree, struct attribution *attribution, int64_t at);

/* Decides which run and task an image's process belongs to; a part of tree_exec. */
void tree_move(struct tree *tree, struct attribution *attribution, const struct exec_view *exec);
/* Begins a run or a task with this image. tree_take_root makes the process a root of a task: the
 * task ends when its roots have ended, with the exit code of the root that started last (start_ns
 * 0: another root decides, if there is one). */
bool tree_begin_run(struct tree *tree, struct attribution *attribution, const struct engine *engine,
		    const struct exec_view *exec);
void tree_begin_task(struct tree *tree, struct attribution *attribution,
		     const struct exec_view *exec);
/* Begins a task that was made before. */
void tree_start_task(struct tree *tree, struct attribution *attribution, struct task *task,
		     const struct exec_view *exec);
void tree_take_root(struct tree *tree, struct attribution *attribution, struct task *task,
		    uint64_t start_ns);
/* Applies the limits of its cgroup as a task's request. */
void tree_request_limits(struct tree *tree, struct task *task);
