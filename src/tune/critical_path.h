/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

/*
 * A run's critical path: the chain of tasks which, from the task that ended last back, follows the
 * input that was closed last. Instants are ns since 1970, 0 is "unknown"; pure.
 */
struct flow_task {
	int64_t started_at, ended_at; /* ended_at 0: it runs, or its end was not seen */
};

/* Files that one task closed and another read; tasks by their indices. */
struct flow_edge {
	size_t from, to;
	int64_t closed_at; /* the last of them */
	int64_t bytes;
};

struct flow {
	const struct flow_task *tasks;
	size_t task_count;
	const struct flow_edge *edges; /* any order */
	size_t edge_count;
	int64_t began_at, ended_at; /* of the run; of one that runs, now */
};

#define FLOW_NONE SIZE_MAX

/* A task of the path, from when its last input was closed until it closed what the next one waited
 * for (the last: until it ended). Where it had begun before, it waited for nothing but this. */
struct critical_link {
	size_t task;
	size_t input; /* the edge from the link before; FLOW_NONE: the first */
	int64_t waiting_ns, running_ns;
	int64_t until_at; /* it ran from running_ns before to this instant */
};

/* All times of the links, before_ns and after_ns add up to the run's. */
struct critical_path {
	struct critical_link *links; /* the first first */
	size_t count;                /* 0: no task has ended */
	int64_t before_ns, after_ns; /* until the first task began, since the last one ended */
};

/* Of inputs closed at the same instant the larger is followed, then the one named first. No task is
 * in it twice. 0, or -ENOMEM; freed by critical_path_clear. */
int critical_path_find(const struct flow *flow, struct critical_path *ret);
void critical_path_clear(struct critical_path *path);
