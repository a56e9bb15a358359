/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "correlate/model/task.h"
#include "correlate/tree/tree.h"

/*
 * Tasks that have not begun: their engine made the folder that each will run in (Nextflow), or gave
 * them to a scheduler (sbatch ran in the engine's run and did not fail). They are reported as
 * "queued" until they begin, on this host or another. A task that was cancelled stays queued until
 * its run ends, since no event shows the cancellation; so does a task that the engine runs in its
 * own process.
 */

/* A process made a folder: queues the task that the engine made it for. */
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
