/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct command;
struct job;

/* What starts work that no workflow engine started, and so is the root of its run (run_root.h). */
enum run_root_kind {
	RUN_ROOT_NONE, /* it is no root of a run */
	RUN_ROOT_SCRIPT,
	RUN_ROOT_SESSION, /* a shell that reads its commands from a terminal or a pipe */
	RUN_ROOT_COMMAND, /* the one command of a shell, or a tool by itself */
	RUN_ROOT_JOB,     /* what a scheduler's daemon started */
};

/* One program image of a process. Texts live for the call. */
struct tree_image {
	uint32_t pid, ppid;
	uint32_t parent_tid; /* the thread of the parent that made the process; 0: unknown.
				Engines start tasks from worker threads, and their own helpers from
				the main thread */
	uint64_t start_ns, parent_start_ns;
	uint64_t image_seq;
	const char *exe, *cwd;
	const char *const *argv;
	const char *const *masked; /* argv, as redact_argv masks it: the only form of it that is
				      kept; NULL: nothing is kept */
	size_t argc;
	uint32_t uid;
	const char *user;   /* name of uid, or "" */
	const char *image;  /* of its container; NULL: unknown */
	const char *parent; /* the tool that started it; NULL: unknown */
	uint32_t pipes[2];  /* that it reads from and writes to, and its parent does not; 0: none */
	enum run_root_kind root_kind; /* of the run that begins with it; RUN_ROOT_NONE: none does */
	const struct job *job;        /* of a scheduler, that it runs in; NULL: none (job.h) */
	uint64_t cgroup_id;
	int64_t started_at;
	const struct command *command; /* as tree_parse parses it; NULL: tree_exec parses it */
};
