#pragma once
#include "correlate/task.h"
#include "correlate/tree.h"

/*
 * Tasks that an engine gave to a scheduler, and that have not begun: its client (sbatch) ran in the
 * engine's run and did not fail. They are told of as "queued" until the job begins, wherever that
 * has its processes: then they are that task. What was cancelled meanwhile is queued until its run
 * ends, which nothing here shows.
 */

/* An image in a run, in no task: it may be such a client. */
void queue_submit(struct tree *tree, struct place *place, const struct sight *sight);
/* A client (ROLE_SUBMIT) ended. */
void queue_submitted(struct tree *tree, const struct place *place, const struct ending *how);
/* The client's task; NULL: it has begun meanwhile. */
struct task *queue_task(const struct tree *tree, const struct place *place);
/* The one of a run that begins with this image of a job; NULL: none is known to. */
struct task *queue_take(struct tree *tree, const struct run *run, const struct sight *sight);
/* A run ended: what it queued never begins in it. */
void queue_forget(struct tree *tree, const struct run *run);
