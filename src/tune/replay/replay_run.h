/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tune/critical_path.h"
#include "tune/wall.h"

/*
 * A measured run, as replays of it need it. The server fills it from the lake's queries. Instants
 * are ns since 1970; 0 and "" are "unknown" where nothing else is said. Pure.
 */
struct replay_task {
	const char *id, *step, *name;
	int64_t started_at, ended_at;
	double cpu_ns, runnable_ns; /* of all its threads: on a CPU; ready, and waiting for one */
	double pipe_write_ns;       /* of all its threads: waiting for who reads from a pipe */
	double pipe_wakes;          /* how often a thread was woken that waited at a pipe */
	double longest_ns;          /* CPU time of a thread of that program which has most */
	struct wall wall;           /* it adds up to the task's life; all 0: not known */
	double threads;             /* the most that one of its processes had at once */
	double slots;               /* of its engine, ≥ 1 */
	double memory_bytes;        /* its peak */
	double storage_read_bytes, storage_write_bytes, network_bytes; /* that it moved */
	/* That were asked for, and when it was submitted, as far as is known. */
	double cpus_requested, memory_requested_bytes;
	int64_t queued_at;
};

/* What the engine did, or whatever else started the tasks: processes of no task. */
struct replay_engine {
	const char *name, *command;
	int64_t task_limit; /* tasks that it may run at once */
	/* Its CPU time until the first task began, until the last one had ended, and since then. */
	double before_cpu_ns, beside_cpu_ns, after_cpu_ns;
	double runnable_ns;  /* of all its threads */
	double memory_bytes; /* of all its processes, the most at a time; 0: unknown */
	struct wall wall;    /* of its life */
};

/* How the CPU time of the same work differed between runs. */
struct replay_history {
	size_t runs;   /* earlier runs of this pipeline with as many tasks */
	double spread; /* of the logarithm of their CPU time: 1.4826 × the median distance */
};

struct replay_run {
	const char *status; /* "succeeded", … */
	int64_t began_at, ended_at;
	const struct replay_task *tasks;
	size_t task_count;
	const struct flow_edge *edges; /* any order */
	size_t edge_count;
	bool complete; /* no task and no edge was left out */
	struct replay_engine engine;
	struct replay_history history;
	size_t hosts;
	double host_cpus, host_memory_bytes;
	double cpu_limit;     /* CPUs that its control group may use */
	int64_t lost_records; /* of its hosts, while it ran */
};

/* Whether a task began and ended; others are not replayed. */
static inline bool replay_task_ran(const struct replay_task *task)
{
	return task->started_at > 0 && task->ended_at > task->started_at;
}
