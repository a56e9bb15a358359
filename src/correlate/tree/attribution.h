/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/*
 * The run and the task that a process belongs to: a small value that the caller keeps beside the
 * process and passes to each function of the tree (tree.h).
 */
struct run;
struct task;

/* What a process does in its run. */
enum role {
	ROLE_NONE,
	ROLE_ENGINE,        /* it runs the engine */
	ROLE_FORK,          /* a child of the engine, before its first exec */
	ROLE_FAN,           /* it starts one command many times for the run's root: xargs */
	ROLE_FAN_FORK,      /* a child of that, before its first exec */
	ROLE_MEMBER,        /* a scheduler started it, as a part of a job (job.h) */
	ROLE_PARALLEL,      /* as ROLE_FAN, but it starts helpers, too: GNU parallel */
	ROLE_PARALLEL_FORK, /* a child of that, before its first exec */
	ROLE_SUBMIT,        /* it gives a task to a scheduler (queue.h): `rank` says which */
	ROLE_PART,          /* a child of a task's root that has no meaningful exit code */
	ROLE_SYSTEM,        /* a package manager and its children (system.h): no run of its own */
};

struct attribution {
	struct run *run;   /* NULL: of no run */
	struct task *task; /* NULL: of no task */
	uint32_t rank;     /* of a root of a task */
	uint8_t role;      /* enum role */
	bool root;         /* its exit ends its run or task */
};

/* The ids of its run and its task, for records; "" where it has none. Owned by the tree. */
const char *attribution_run_id(const struct attribution *attribution);
const char *attribution_task_id(const struct attribution *attribution);
/* Whether both ids are final: its run is reported; its task is reported, too, or never will be. */
bool attribution_is_settled(const struct attribution *attribution);
/* The step and the sample of its task, as far as they are known; "" where none, and of the one task
 * of a `tracer run`. */
void attribution_task_words(const struct attribution *attribution, const char **ret_step,
			    const char **ret_sample);
