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

/* At most `runs` live runs and `tasks` live tasks; beyond that processes stay ordinary and
 * tree_refused counts. rules are not owned. */
int tree_new(struct tree **ret, const struct rules *rules, const char *host_id, size_t runs,
	     size_t tasks);
void tree_free(struct tree *tree);
uint64_t tree_refused(const struct tree *tree);

/* Other rules from now on (not owned); what has a name keeps it. */
void tree_set_rules(struct tree *tree, const struct rules *rules);
const struct rules *tree_rules(const struct tree *tree);

/* Parses an image's command line, as its rules say where it runs. Texts are those of the image. */
void tree_parse(const struct tree *tree, const struct tree_image *image, struct command *ret);
/* A child begins where its parent is. child is overwritten. */
void tree_fork(struct tree *tree, const struct attribution *parent, struct attribution *child);
/* A process began a new image: names its tool (`tool`, cut at size; "" when nothing is known), and
 * moves its place: it may become the root of a run or of a task. parent: the place of its parent,
 * or NULL when that is not tracked. Returns what kind of tool it is, by its rule: a word of the
 * field `tool_kind`, static. */
const char *tree_exec(struct tree *tree, struct attribution *attribution,
		      const struct attribution *parent, const struct tree_image *image, char *tool,
		      size_t size);
/* A file in the working directory of the task that just began with this process, in which its
 * engine wrote what it is called: to be read, and its text (NUL-terminated; its head is enough)
 * handed to tree_task_text. NULL: none. */
const char *tree_task_file(const struct attribution *attribution);
void tree_task_text(struct tree *tree, const struct attribution *attribution, const char *text);
/* A process ended: ends the task or run whose root it was. The place is emptied. */
void tree_exit(struct tree *tree, struct attribution *attribution, int exit_code, int signal,
	       int64_t ended_at);
/* The caller may also empty a place without an end (a process that was lost): its task or run, if
 * root, becomes "lost". */
void tree_lose(struct tree *tree, struct attribution *attribution, int64_t ended_at);

/* A process made a folder, at a wall-clock instant: of its engine's, for a task that is yet to
 * begin (queue.h), or of no meaning here. */
void tree_folder(struct tree *tree, const struct attribution *attribution, const char *path,
		 int64_t at);

/* The next run or task that was made or changed since it was last handed out: fills *ret_run or
 * *ret_task (the other is NULL) with a message owned by the tree, valid until the next call into
 * it. false: none left. */
bool tree_next_change(struct tree *tree, const Signal__Run **ret_run,
		      const Signal__Task **ret_task);
/* By what a run is known to be one with others; owned by the tree. */
struct tree_link {
	const char *folder;   /* that it shares with its parts on other hosts; NULL: none */
	const char *workflow; /* "argo NAMESPACE NAME", of which it is a node; NULL: of none */
	bool part;            /* it is such a part */
};
/* Whether the run that was handed out last is told of for the first time (since tree_retell, or
 * since one of these was known). */
bool tree_run_is_new(struct tree *tree, struct tree_link *ret);
/* What was told apart by its processes until now stays so: it may be told of. */
void tree_settle(struct tree *tree);
/* What lives, and what ended and is still referred to, counts as changed: to be handed out again.
 */
void tree_retell(struct tree *tree);
/* A cgroup's limits as a request, for tasks in it that asked for nothing by themselves. */
void tree_cgroup_limits(struct tree *tree, uint64_t cgroup_id, double cpu_limit,
			uint64_t memory_limit_bytes);
