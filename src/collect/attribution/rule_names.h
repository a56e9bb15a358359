/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "collect/attribution/file_helper.h"
#include "correlate/tree/tree.h"

/*
 * Names of tasks that their engine writes down only after they ended (Snakemake: the rule of every
 * file that a job wrote). A run's working directory is kept open while the run lives; a task that
 * ended waits here, and its records are looked for again and again, at growing intervals, for a
 * minute, and once more when the run has ended. What is not named until then is called as its
 * siblings are (correlate/tree/output_names.h).
 */
#define RULE_NAMES_RUNS  64   /* of more, tasks keep the names of their tools */
#define RULE_NAMES_TASKS 1024 /* that wait; more keep the names of their tools, too */

struct rule_names;

/* NULL: no memory. The helper reads; it stays the caller's. */
struct rule_names *rule_names_new(struct file_helper *helper);
void rule_names_free(struct rule_names *names, struct tree *tree); /* NULL is fine */
struct rule_names_root {                                           /* of a task */
	const struct attribution *attribution;
	uint32_t pid, ppid; /* the engine's, or a fork of it */
	uint32_t uid;       /* the owner of the records that are read */
	uint32_t mnt_ns;    /* the inode number of its mount namespace */
	const char *cwd;    /* where it began; NULL: unknown */
};
/*
 * The root of a task began: where its engine works is opened, by a process while one of both lives,
 * and by its path once they are gone, where the agent has the same mounts.
 */
void rule_names_begin(struct rule_names *names, struct tree *tree,
		      const struct rule_names_root *root);
/* That root ended. Before tree_exit. */
void rule_names_end(struct rule_names *names, struct tree *tree, const struct rule_names_root *root,
		    uint64_t now_ns);
/* Looks for what is due by now (boot time). Twice a second. */
void rule_names_look(struct rule_names *names, struct tree *tree, uint64_t now_ns);
