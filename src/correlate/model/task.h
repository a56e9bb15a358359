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

#define TASK_FAILURE_LIMIT 4096 /* command lines a run remembers to count attempts */
#define TASK_PIPE_LIMIT    16   /* of one task, that lead to others that belong to it */

/* How a process ended. */
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
	char *shell_text; /* masked command line of the root, then programs of shells inside */
	size_t root_len;  /* how much of shell_text is the root's */
	struct map_text_key tried; /* what an attempt is one at */
	char job[TASK_JOB_SIZE];   /* the scheduler's job or step that it is (job.h); "": none */
	bool named;                /* by its engine */
	bool planned;              /* what its text plans is in its shape */
	bool sample_given;         /* its sample is known, whatever its siblings' are */
	bool by_file;              /* … in a file: its command line is like all others' */
	uint32_t submission;       /* it is given to a scheduler, by whom (queue.h); 0: it is not */
	char *folder, *script;     /* … in which, as what ("": the folder says it); likewise */
	const char *host_id;       /* the tree's */
	struct output *outputs;    /* files that it used (output_names.h); NULL: none */
	size_t output_count;
	char *cwd;         /* of its root, where its engine records them; NULL: not needed */
	bool id_given;     /* what it stands for is settled */
	bool report_waits; /* for tree_settle; holds a reference */
	bool helpers_work; /* what its driver was told to start is work, whatever it is */
	unsigned roots;    /* processes whose exit its end waits for */
	uint64_t last_start_ns;
	uint32_t last_rank; /* of the root that started last: a pipeline's last program */
	struct ending end;  /* of that root */
	bool by_worst;      /* its roots are alike: of one that failed, rather */
	struct ending part; /* of what a root started, the first that failed */
	uint32_t pipes[TASK_PIPE_LIMIT];
	size_t pipe_count;
	uint32_t pipes_open; /* bits: of which one end alone has been seen */
	bool waited;         /* no root began since the last tree_settle: it waits for a process at
				the other end of an open pipe, which may exec later */
	struct task *merged; /* a reference; it turned out to be a part of this one */
};

/* A task of run that begins with an image (NULL: it is yet to begin). NULL: no memory. The caller
 * has its one reference. */
struct task *task_new(struct entities *entities, const char *host_id, struct run *run,
		      const struct exec_view *exec);
void task_free(struct task *task);  /* by its last reference */
void task_unref(struct task *task); /* NULL is fine */

/* What was queued begins with this image. */
void task_begin(struct task *task, const struct exec_view *exec);
/* Changes its state (task_state.h). */
void task_set_state(struct task *task, enum task_state state);
bool task_is_reported(const struct task *task);
/* Ends it without a report. */
void task_drop(struct entities *entities, struct task *task);
/* Work was seen in it: counts its attempt. */
void task_announce(struct task *task, const struct rules *rules);
/* Its id, which does not change once it was asked for. */
const char *task_id(struct task *task);
/* The task that it belongs to: itself, mostly. NULL gives NULL. */
struct task *task_resolve(struct task *task);
/* A further process that is a root of it begins with this image. */
void task_also(struct task *task, const struct exec_view *exec);
/* Another task, of which nobody was told yet, is a part of this one. */
void task_take(struct task *task, struct task *other);
/* Counts a root of it in. rank: a number for that root, which is returned. */
uint32_t task_root(struct task *task, uint64_t start_ns, uint32_t rank);
/* A root of it ended. true: it was the last; *end is the task's then: that of the root that
 * started last, when all had ended. */
bool task_unroot(struct task *task, uint32_t rank, struct ending *end);

/* All its roots ended, but a process at the other end of an open pipe may still become one. */
bool task_waits_for_pipe(const struct task *task);
/* What its root started has ended: where that failed and the root does not, the task has. task may
 * be NULL. */
void task_part_ended(struct task *task, const struct ending *end);

/* Whether its root is its run's: the one task of a `tracer run`. */
bool task_is_run_root(const struct task *task);
/* An image that began inside it. true: its record changed. */
bool task_image(struct task *task, const struct rules *rules, const struct exec_view *exec);
/* The name its engine has for its step, and what tells it from its siblings ("" where nothing). */
void task_set_name(struct task *task, const char *step, const char *sample);
/* Its engine's file named it: its name tells what was tried before. */
void task_named_by_file(struct task *task);
/* A request; of several the larger. by: "tracer run", "cgroup". true: its record changed. */
bool task_request(struct task *task, struct request request, const char *by);
/* Ends it, gives it its final step and sample. May change the record of an earlier task. */
void task_end(struct entities *entities, const struct rules *rules, struct task *task,
	      const struct ending *end);
