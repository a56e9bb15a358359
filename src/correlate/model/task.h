/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "correlate/engines/engine.h"
#include "correlate/model/entity.h"
#include "correlate/model/task_state.h"
#include "correlate/label/shape.h"
#include "correlate/command/shell.h"
#include "signal.pb-c.h"

#define TASK_FAILURE_LIMIT 4096 /* command lines that a run keeps to count attempts */
#define TASK_PIPE_LIMIT    16   /* pipes of one task, by which other processes belong to it */

/* The end of a process. */
struct ending {
	int exit_code, signal;
	bool lost;
	int64_t ended_at;
};

static inline bool ending_failed(const struct ending *end)
{
	return end->exit_code || end->signal || end->lost;
}

#define TASK_JOB_SIZE 100

struct task {
	struct entity entity;
	enum task_state state;
	Signal__Task record;
	struct run *run; /* a reference */
	struct shape shape;
	char *shell_text; /* the root's command line, masked, then the program texts of shells
			     inside */
	size_t root_len;  /* bytes of shell_text that are the root's */
	struct map_text_key tried; /* identifies the work, to count attempts at it */
	char job[TASK_JOB_SIZE];   /* the scheduler's job or step (job.h); "": none */
	bool named;                /* by its engine */
	bool planned;              /* the tools of its shell text are in its shape */
	bool sample_given;         /* its sample is known without comparing it with other tasks */
	bool by_file; /* named by its engine's file; its command line is that of all others */
	uint32_t submission; /* number of its submission (queue.h); 0: none */
	char *folder,
		*script; /* where it was submitted, and its script ("": the folder identifies it) */
	const char *host_id;    /* the tree's */
	struct output *outputs; /* files that it used (output_names.h); NULL: none */
	size_t output_count;
	char *cwd;         /* of its root, if its engine records outputs; NULL: not needed */
	bool id_given;     /* its id was given out and does not change */
	bool report_waits; /* for tree_settle; holds a reference */
	bool helpers_work; /* helpers count as work: xargs or parallel was given them to run */
	unsigned roots;    /* live roots: the task ends with the last of them */
	uint64_t last_start_ns;
	uint32_t last_rank; /* of the root that started last: a pipeline's last program */
	struct ending end;  /* of that root */
	bool by_worst;      /* its roots are equal: a failed one decides the outcome */
	struct ending part; /* the first failure of a root's child */
	uint32_t pipes[TASK_PIPE_LIMIT];
	size_t pipe_count;
	uint32_t pipes_open; /* bits: pipes of which only one end was seen */
	bool waited;         /* no root began since the last tree_settle: it waits for a process at
				the other end of an open pipe, which may exec later */
	struct task *merged; /* the task of which it became a part; a reference */
};

/* Makes a task of a run that begins with an image (NULL: it has not begun). NULL: no memory. The
 * caller owns its one reference. */
struct task *task_new(struct entities *entities, const char *host_id, struct run *run,
		      const struct exec_view *exec);
void task_free(struct task *task);  /* called by the last entity_unref */
void task_unref(struct task *task); /* accepts NULL */

/* A queued task begins with this image. */
void task_begin(struct task *task, const struct exec_view *exec);
/* Changes its state (task_state.h). */
void task_set_state(struct task *task, enum task_state state);
bool task_is_reported(const struct task *task);
/* Ends it without a report. */
void task_drop(struct entities *entities, struct task *task);
/* Work was seen in it: counts its attempt. */
void task_announce(struct task *task, const struct rules *rules);
/* Its id, which does not change after the first call. */
const char *task_id(struct task *task);
/* The task of which it became a part, or itself. NULL gives NULL. */
struct task *task_resolve(struct task *task);
/* Another root of it begins with this image. */
void task_also(struct task *task, const struct exec_view *exec);
/* Merges another task, which was not reported, into this one. */
void task_take(struct task *task, struct task *other);
/* Adds a root. rank: the root's number, which is returned. */
uint32_t task_root(struct task *task, uint64_t start_ns, uint32_t rank);
/* A root ended. true: it was the last one; *end is then the task's end: the outcome of the root
 * that started last. */
bool task_unroot(struct task *task, uint32_t rank, struct ending *end);

/* All its roots ended, but a process at the other end of an open pipe may still become one. */
bool task_waits_for_pipe(const struct task *task);
/* A child of its root ended: a failed child fails the task, although the root succeeds. task may be
 * NULL. */
void task_part_ended(struct task *task, const struct ending *end);

/* Whether its root is the run's root: the one task of a `tracer run`. */
bool task_is_run_root(const struct task *task);
/* An image began inside it. true: its record changed. */
bool task_image(struct task *task, const struct rules *rules, const struct exec_view *exec);
/* Sets the engine's name for its step, and its sample ("": none). */
void task_set_name(struct task *task, const char *step, const char *sample);
/* Its engine's file named it: its name identifies earlier attempts. */
void task_named_by_file(struct task *task);
/* Adds a request; the larger of several counts. by: "tracer run", "cgroup", "nextflow". true: its
 * record changed. */
bool task_request(struct task *task, struct request request, const char *by);
/* Ends it with its final step and sample. May change the record of an earlier task. */
void task_end(struct entities *entities, const struct rules *rules, struct task *task,
	      const struct ending *end);
