/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/*
 * Simulates tasks on hosts of one type, as an engine with a batch service runs them: tasks that are
 * ready get the CPUs and the memory that they ask for on a host that is up, the fullest that has
 * room; else on one that starts; else a host is started, as long as there are fewer than the most.
 * Those that do not fit wait, and smaller ones may go first. A host that is empty for a while is
 * stopped. What tasks hold on a host is never more than it has. Instants and times are ns from 0
 * on. Pure; takes O(tasks × (hosts + log tasks)).
 */
struct fleet_task {
	double cpus, memory_bytes; /* that it holds; > 0, and ≥ 0 */
	double ns;                 /* that it takes */
	double ready_ns;           /* the earliest instant, and from what it needs on: */
	double lag_ns;
};

/* `to` begins at the earliest when `from` has ended. */
struct fleet_need {
	size_t from, to;
};

struct fleet_plan {
	const struct fleet_task *tasks;
	size_t task_count;
	const struct fleet_need *needs; /* sorted by from */
	size_t need_count;
};

struct fleet_hosts {
	double cpus, memory_bytes; /* of each, for tasks */
	size_t most;               /* at once; ≥ 1 */
	double start_ns;           /* from when it is paid until it takes tasks */
	double idle_ns;            /* that it stays up empty */
};

struct fleet_times {
	double *begins, *ends; /* of tasks */
	size_t *hosts;         /* of tasks: its number, from 0 on, in the order of their starts */
	double host_ns;        /* that hosts were paid for, all together */
	size_t starts;         /* of hosts */
	size_t most;           /* hosts at once */
	double memory_peak_bytes, cpus_peak; /* held on one host */
};

/* 0; -ENOMEM; -ERANGE: a task holds more than a host has; -ELOOP: tasks need each other in a
 * circle. Freed by fleet_times_clear. */
int fleet_schedule(const struct fleet_plan *plan, const struct fleet_hosts *hosts,
		   struct fleet_times *ret);
void fleet_times_clear(struct fleet_times *times);
