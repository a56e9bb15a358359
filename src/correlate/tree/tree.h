/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "correlate/model/image.h"
#include "correlate/tree/attribution.h"
#include "signal.pb-c.h"

/*
 * Finds the run, task and step that each process belongs to. Pure: values in, values out; no clock,
 * no files. The tree owns runs and tasks; the caller keeps a struct attribution beside each process
 * and passes it to each call. The same input gives the same ids: an id is a hash of (host id, root
 * pid, root start_ns), or of what else identifies the run or task (a job's number, the folder that
 * its engine made for it), so that a restarted agent finds the same ids.
 */
struct command;
struct rules;
struct tree;

/* Holds at most `runs` live runs and `tasks` live tasks; beyond that a process begins none, and
 * tree_refused counts it. rules are not owned. */
int tree_new(struct tree **ret, const struct rules *rules, const char *host_id, size_t runs,
	     size_t tasks);
void tree_free(struct tree *tree);
uint64_t tree_refused(const struct tree *tree);

/* Uses other rules from now on (not owned); names that were given stay. */
void tree_set_rules(struct tree *tree, const struct rules *rules);
const struct rules *tree_rules(const struct tree *tree);

/* Parses an image's command line by the rules for its context. Texts are those of the image. */
void tree_parse(const struct tree *tree, const struct tree_image *image, struct command *ret);
/* Attributes a child process to the run and task of its parent. child is overwritten. */
void tree_fork(struct tree *tree, const struct attribution *parent, struct attribution *child);
/* A process began a new image: names its tool (`tool`, cut at size; "": unknown) and updates its
 * attribution: the process may become the root of a run or of a task. parent: the attribution of
 * its parent, or NULL when the parent is not tracked. Returns the kind of tool by its rule: a word
 * of the field `tool_kind`, static. */
const char *tree_exec(struct tree *tree, struct attribution *attribution,
		      const struct attribution *parent, const struct tree_image *image, char *tool,
		      size_t size);
/* The file, in the working directory of the task that just began with this process, in which the
 * engine wrote the task's name. The caller reads it and passes its text (NUL-terminated; the head
 * is enough) to tree_task_text. NULL: none. */
const char *tree_task_file(const struct attribution *attribution);
void tree_task_text(struct tree *tree, const struct attribution *attribution, const char *text);
/* A process ended: ends the task or run of which it is the root. The attribution is emptied. */
void tree_exit(struct tree *tree, struct attribution *attribution, int exit_code, int signal,
	       int64_t ended_at);
/* The end of a process was not seen: the task or run of which it is the root becomes "lost". The
 * attribution is emptied. */
void tree_lose(struct tree *tree, struct attribution *attribution, int64_t ended_at);

/* A process made a folder, at a wall-clock time. An engine's folder for a task that has not begun
 * queues that task (queue.h); other folders are ignored. */
void tree_folder(struct tree *tree, const struct attribution *attribution, const char *path,
		 int64_t at);

/* The next run or task that began or changed since it was last returned: sets *ret_run or *ret_task
 * (the other is NULL) to a message owned by the tree, valid until the next call into it. false:
 * none left. */
bool tree_next_change(struct tree *tree, const Signal__Run **ret_run,
		      const Signal__Task **ret_task);
/* What links a run to its parts on other hosts; owned by the tree. */
struct tree_link {
	const char *folder;   /* that all parts work in; NULL: none */
	const char *workflow; /* "argo NAMESPACE NAME", of which the run is a node; NULL: none */
	bool part;            /* the run is a part, not the engine's own run */
};
/* Whether the link of the run that was returned last is new: it is returned for the first time, or
 * for the first time since tree_resend or since its link changed. */
bool tree_run_is_new(struct tree *tree, struct tree_link *ret);
/* Tasks that pipes separated until now stay separate: they may be reported. */
void tree_settle(struct tree *tree);
/* Re-sends all runs and tasks that are live, or ended and still referred to.
 */
void tree_resend(struct tree *tree);
/* Sets a cgroup's limits, which count as the request of tasks in it that asked for nothing
 * themselves. */
void tree_cgroup_limits(struct tree *tree, uint64_t cgroup_id, double cpu_limit,
			uint64_t memory_limit_bytes);
