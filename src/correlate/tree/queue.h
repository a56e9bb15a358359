/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "correlate/model/task.h"
#include "correlate/tree/tree.h"

/*
 * Tasks that have not begun: their engine has made the folder that each is to run in (Nextflow), or
 * has given them to a scheduler (its client, sbatch, ran in the engine's run and did not fail).
 * They are told of as "queued" until they begin, wherever that has its processes. What was
 * cancelled meanwhile is queued until its run ends, which nothing here shows; so is what its engine
 * does itself, in a folder of its own.
 */

/* A process made a folder. */
void queue_prepare(struct tree *tree, const struct attribution *attribution, const char *path,
		   int64_t at);
/* An image in a run, in no task: it may be such a client. */
void queue_submit(struct tree *tree, struct attribution *attribution, const struct exec_view *exec);
/* A client (ROLE_SUBMIT) ended. */
void queue_submitted(struct tree *tree, const struct attribution *attribution,
		     const struct ending *how);
/* The client's task; NULL: it has begun meanwhile. */
struct task *queue_task(const struct tree *tree, const struct attribution *attribution);
/* Whether an image is a job that runs in the folder of a task of this run. */
bool queue_holds(const struct tree *tree, const struct run *run, const struct exec_view *exec);
/* A task of the place's run begins with this image: one that was queued, as far as is known. */
void queue_begin(struct tree *tree, struct attribution *attribution, const struct exec_view *exec);
/* A run ended: what it queued never begins in it. */
void queue_forget(struct tree *tree, const struct run *run);
