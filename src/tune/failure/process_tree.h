/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The processes of a run as the analysis of failures sees them: one entry a process, with what its
 * last program image was and how it ended. Pure. Instants are ns since 1970; 0: not known.
 */
#define PROCESS_NONE SIZE_MAX
#define NO_TASK      0 /* the engine, the run's own script */

enum process_status {
	PROCESS_RUNNING,
	PROCESS_SUCCEEDED,
	PROCESS_FAILED,
	PROCESS_KILLED,
	PROCESS_LOST, /* its end was not seen */
};

struct tree_process {
	size_t parent;           /* its number; PROCESS_NONE: not known, or not in the run */
	size_t task;             /* 1 + the number of its task, or NO_TASK */
	const char *tool, *kind; /* executions.tool, .tool_kind; "" : not known */
	const char *const *argv; /* masked; may be cut */
	size_t argc;
	enum process_status status;
	int exit_code, signal;
	int64_t started_at, ended_at; /* of the process, not of its last image */
	uint64_t pipe_in, pipe_out;   /* unique over hosts; 0: none, or its parent's */
	size_t killed_by; /* 1 + the number of the process that sent its signal; 0: not known, not
			     of the run */
	bool oom_killed;  /* by the kernel, because memory was short */
};

/* It ended with a code or by a signal. */
static inline bool process_failed(const struct tree_process *process)
{
	return process->status == PROCESS_FAILED || process->status == PROCESS_KILLED;
}

/* Of a process, what its place in a failure depends on. */
enum process_role {
	ROLE_TOOL,    /* does work of the run: samtools, a script of the user */
	ROLE_HELPER,  /* asks or tidies up: readlink, mkdir, rm */
	ROLE_TEST,    /* its exit code is an answer: grep, test, cmp, which */
	ROLE_SHELL,   /* runs commands and passes on the code of the last one */
	ROLE_WRAPPER, /* runs one command and passes on its code: timeout, env, srun, conda run */
	ROLE_ENGINE,  /* runs many commands and ends with a code of its own: make, snakemake, xargs,
			 python */
};

struct process_tree; /* the processes with roles and an index of children */

struct program_role;

/* The processes stay the caller's and must outlive the tree. A parent that is its own descendant
 * (a cycle, a reused pid) is taken for unknown, as is one that started after its child. NULL: no
 * memory. */
struct process_tree *process_tree_new(const struct tree_process *processes, size_t count);
void process_tree_free(struct process_tree *tree);

const struct tree_process *process_tree_get(const struct process_tree *tree, size_t number);
size_t process_tree_count(const struct process_tree *tree);
enum process_role process_tree_role(const struct process_tree *tree, size_t number);
/* Its role as its own program has it, with more detail (process_role.h). */
const struct program_role *process_tree_program(const struct process_tree *tree, size_t number);
/* It or a descendant does work: ROLE_TOOL, ROLE_WRAPPER or ROLE_ENGINE. */
bool process_tree_works(const struct process_tree *tree, size_t number);
/* All processes, each after its parent. */
const size_t *process_tree_order(const struct process_tree *tree);
/* The parent, checked as above. */
size_t process_tree_parent(const struct process_tree *tree, size_t number);
/* The children in the order of their end (those without a known end last); *ret_count of them. */
const size_t *process_tree_children(const struct process_tree *tree, size_t number,
				    size_t *ret_count);
/* The processes of a task (or NO_TASK) of which the parent is not of it, in the order of their
 * start. */
const size_t *process_tree_roots(const struct process_tree *tree, size_t task, size_t *ret_count);
/* Another child of its parent that writes to (or reads from) this pipe; PROCESS_NONE: none. */
size_t process_tree_at_pipe(const struct process_tree *tree, size_t number, uint64_t pipe,
			    bool writes);
