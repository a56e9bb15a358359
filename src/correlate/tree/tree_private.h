/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "correlate/engines/engine.h"
#include "correlate/model/entity.h"
#include "correlate/tree/job.h"
#include "correlate/tree/rootless_run.h"
#include "correlate/tree/tree.h"

/* The inside of a tree, for the parts of this room that move processes in it. */
#define HOST_ID_SIZE 129

struct tree {
	const struct rules *rules;
	char host_id[HOST_ID_SIZE];
	size_t run_cap, task_cap;
	uint64_t refused;
	struct entities entities;
	struct entity *lent;                       /* whose record the caller looks at */
	struct map *limits;                        /* of cgroups */
	uint32_t ranks;                            /* given to roots of tasks */
	size_t queued;                             /* tasks that have not begun (queue.h) */
	bool unsettled;                            /* a task waits for tree_settle */
	struct run *idle_runs[ROOTLESS_RUNS_IDLE]; /* live, but nothing of them runs */
	unsigned next_idle;
};

/* The task of a place, through merges; NULL: none. */
struct task *attribution_task(const struct attribution *attribution);
void attribution_set_run(struct attribution *attribution, struct run *run);
void attribution_set_task(struct attribution *attribution, struct task *task);
void attribution_drop_task(struct attribution *attribution);
void attribution_clear(struct attribution *attribution);
/* Ends a task: its last root has ended. */
void tree_end_task(struct tree *tree, struct task *task);
/* As if the process had ended, for its task. */
void tree_leave_task(struct tree *tree, struct attribution *attribution, int64_t at);

/* Where an image moves its process: tree_exec's decision. */
void tree_move(struct tree *tree, struct attribution *attribution, const struct exec_view *exec);
/* Parts of that: a run or task that begins with this image; a root of a task, whose exit belongs to
 * the task's end (start_ns 0: and tells nothing of it, where there is another); whether what begins
 * a driver's run is work by itself. */
bool tree_begin_run(struct tree *tree, struct attribution *attribution, const struct engine *engine,
		    const struct exec_view *exec);
void tree_begin_task(struct tree *tree, struct attribution *attribution,
		     const struct exec_view *exec);
/* Likewise, with one that is there. */
void tree_start_task(struct tree *tree, struct attribution *attribution, struct task *task,
		     const struct exec_view *exec);
void tree_take_root(struct tree *tree, struct attribution *attribution, struct task *task,
		    uint64_t start_ns);
/* What the limits of its cgroup ask for a task. */
void tree_request_limits(struct tree *tree, struct task *task);
