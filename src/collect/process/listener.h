/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cgroup;
struct counters;
struct exec_context;
struct probe_key;
struct process;

/*
 * Who takes part in what happens to processes. The process table knows none of its listeners: each
 * has its own state and a table of operations, and agent/pipeline.c lists them in the order in
 * which they are called. A NULL operation is not called. No listener adds or removes processes.
 */

/* Figures of a process: those of the reading before, and those of now, of which no sum ever falls.
 */
struct process_reading {
	const struct counters *before, *now;
	bool woke; /* it did something: more than waits grew */
};

enum process_end {
	PROCESS_REPLACED, /* its image, by that of an exec: the process goes on */
	PROCESS_LEFT,     /* it execs an excluded program, and is not tracked any more; what it ran
			     was PROCESS_REPLACED before */
	PROCESS_EXITED,   /* or found to be gone (process->lost) */
	PROCESS_LATE,     /* figures came after its end */
	PROCESS_STRAY, /* of which the table knows nothing else: of no run, and not in the table */
};

struct listener {
	/* A process was made; its parent is NULL where that is not tracked. */
	void (*fork)(void *context, struct process *process, const struct process *parent);
	/* A process is in its cgroup from now on: made in it, or before its exec is handed on.
	 * Returns that cgroup; NULL: not known. */
	struct cgroup *(*enter)(void *context, const struct process *process);
	/* A process was moved to another cgroup, or to another user. */
	void (*moved)(void *context, const struct process *process);

	/* An exec, step by step. The root of the run that the process belongs to, where it is found
	 * and not tracked yet (NULL otherwise): it is tracked before the next step, and its key
	 * made exact. */
	struct probe_key *(*find_root)(void *context, struct exec_context *exec);
	/* Which run and task it is of, and which tool. */
	void (*place)(void *context, struct exec_context *exec);
	/* The process runs its image: all of the context is known. */
	void (*begin)(void *context, const struct exec_context *exec);

	/* Before the process gets these figures. */
	void (*reading)(void *context, struct process *process,
			const struct process_reading *reading);
	/* After a reading of all live processes of which samples are due: for each. */
	void (*sample)(void *context, struct process *process);
	/* After each reading of all live processes, once a second. */
	void (*tick)(void *context);
	/* The wall clock was set: agent_clock.h. */
	void (*step)(void *context, int64_t step_ns);
	/* Records that wait are due: which run and task a process is of is decided before. */
	void (*settle)(void *context);
	void (*flush)(void *context);

	void (*end)(void *context, struct process *process, enum process_end end);
	/* An ended process leaves the table. */
	void (*forget)(void *context, struct process *process);
};

#define LISTENERS_MAX 16

struct listeners {
	struct {
		const struct listener *operations;
		void *context;
	} list[LISTENERS_MAX];
	size_t count;
};

/* Behind those that are there; at most LISTENERS_MAX. Nothing is owned. */
void listeners_add(struct listeners *listeners, const struct listener *operations, void *context);

/* Each calls the operation of its name of all listeners in their order. */
void listeners_fork(const struct listeners *listeners, struct process *process,
		    const struct process *parent);
/* The cgroup of the first listener that knows it. */
struct cgroup *listeners_enter(const struct listeners *listeners, const struct process *process);
void listeners_moved(const struct listeners *listeners, const struct process *process);
/* The first root that is found. */
struct probe_key *listeners_find_root(const struct listeners *listeners, struct exec_context *exec);
void listeners_place(const struct listeners *listeners, struct exec_context *exec);
void listeners_begin(const struct listeners *listeners, const struct exec_context *exec);
void listeners_reading(const struct listeners *listeners, struct process *process,
		       const struct process_reading *reading);
void listeners_sample(const struct listeners *listeners, struct process *process);
void listeners_tick(const struct listeners *listeners);
void listeners_step(const struct listeners *listeners, int64_t step_ns);
void listeners_settle(const struct listeners *listeners);
void listeners_flush(const struct listeners *listeners);
void listeners_end(const struct listeners *listeners, struct process *process,
		   enum process_end end);
void listeners_forget(const struct listeners *listeners, struct process *process);
