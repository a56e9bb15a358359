/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "correlate/command/command.h"
#include "correlate/tree/tree.h"
#include "probe/api/probe.h"

struct cgroup;
struct cgroups;
struct images;
struct process;
struct process_table;

#define EXEC_TOOL_SIZE 256

/*
 * An exec (or a process that was found running) with all that is looked up for it: built once, when
 * the process is in the table, and handed down through the listeners.
 */
struct exec_context {
	const struct probe_image *image; /* as the probe decoded it */
	struct process *process;
	struct process *parent;    /* NULL: not tracked */
	const char *parent_tool;   /* NULL: not tracked */
	struct cgroup *cgroup;     /* with its container; NULL: unknown */
	const char *const *masked; /* the image's arguments without secrets; NULL: no memory */
	bool again;                /* it is placed again: the process and its image are known */

	/* Attribution's. */
	bool root_found; /* the root of its run was found, and may be tracked only now */
	enum run_root_kind root_kind; /* the kind of run that it is the root of */
	struct command command;       /* its command line, seen through interpreters */
	char tool[EXEC_TOOL_SIZE];
	const char *tool_kind; /* static */
};

/* What contexts are looked up in; nothing is owned. */
struct exec_tables {
	struct process_table *processes;
	struct cgroups *cgroups;
	struct images *images;
};

/* Looks up the parent; `masked` is there after exec_context_mask. cgroup: NULL: unknown. image must
 * outlive ret. */
void exec_context_build(const struct exec_tables *tables, struct process *process,
			struct cgroup *cgroup, const struct probe_image *image,
			struct exec_context *ret);
/* Looks up the parent again, after other processes came into the table. */
void exec_context_find_parent(const struct exec_tables *tables, struct exec_context *exec);
/* The masked arguments hold until the next exec is masked. */
void exec_context_mask(const struct exec_tables *tables, struct exec_context *exec);
/* The process gets its new image, with the tool and the masked arguments. */
void exec_context_keep_image(const struct exec_tables *tables, const struct exec_context *exec);

/* `tracer run … -- COMMAND`: begins a run, and becomes its command. */
bool exec_is_tracer_run(const struct probe_image *image);

/* The exec of the image that a process has, as if it came only now. */
struct exec_again {
	struct exec_context exec;
	struct probe_image image;
	char **argv;
};
/* -ENOMEM. */
int exec_again_build(const struct exec_tables *tables, struct process *process,
		     struct exec_again *ret);
void exec_again_clear(struct exec_again *again);
