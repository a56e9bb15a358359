/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "correlate/engines/engine.h"
#include "correlate/model/entity.h"
#include "correlate/model/record.h"
#include "correlate/model/run_state.h"
#include "correlate/model/task.h"
#include "correlate/tree/tree.h"

#define RUN_STEP_LIMIT  256 /* steps of which tasks are compared to find their samples */
#define RUN_LABEL_LIMIT 32
#define RUN_PIPE_LIMIT  4096 /* pipes of live tasks */

/* Tasks of the same step: each is compared with the first. */
struct step {
	char *label;        /* as a record's text */
	struct task *first; /* a reference */
};

struct run {
	struct entity entity;
	enum run_state state;
	Signal__Run record;
	const struct engine *engine;
	uint64_t image_seq; /* of the engine's image */
	uint64_t cgroup_id;
	bool named, pipeline_named;
	bool link_sent; /* what links it to its parts was reported (tree_run_is_new) */
	bool part;      /* a part of a run of which the engine runs on another host */
	char *folder;   /* that its parts work in, too; NULL: none */
	char *workflow,
		*node; /* the workflow and node that the run is (engine_argo.c); NULL: not known */
	struct request request; /* of `tracer run`, for its one task */
	struct step steps[RUN_STEP_LIMIT];
	size_t step_count;
	struct task *
		*rules; /* one task of each rule that a record named (output_names.h); references */
	size_t rule_count;
	size_t queued;      /* its tasks that have not begun (queue.h) */
	unsigned processes; /* live processes, where it has no root (rootless_run.h)
			     */
	struct ending end;  /* the outcome of the processes that have ended */
	bool script_ended, job_named;
	bool in_idle_runs;    /* the tree keeps it, so that it can go on (rootless_run.c) */
	bool by_daemon;       /* an engine's daemon starts its processes (daemon_run.h) */
	struct map *failing;  /* tasks that failed and were not retried with success (retry_key) */
	struct ending failed; /* the last of those failures */
	struct map *pipes;    /* pipe → task, where pipes separate the tasks */
	struct map *failures; /* command line (map_text_key) → number of its failed tasks */
};

/* Makes the run that begins with an image. NULL: no memory. The caller owns its one reference. */
struct run *run_new(struct entities *entities, const char *host_id, const struct engine *engine,
		    const struct exec_view *exec);
void run_free(struct run *run); /* called by the last entity_unref */

/* Filled in by engines; a name that the user gave stays. */
void run_set_pipeline(struct run *run, const char *pipeline, bool by_user);
void run_set_name(struct run *run, const char *name, bool by_user);
void run_add_label(struct run *run, const char *key, size_t key_len, const char *value);
/* Adds a value to a label's list ("a,b"). false: the list has it, or there is no room. */
bool run_add_to_label(struct run *run, const char *key, const char *value);
/* Sets the folder that its parts work in, too; it is reported with the next change. */
void run_set_folder(struct run *run, const char *folder, size_t len);
/* Sets the run in which it was started. */
void run_set_parent(struct run *run, const struct run *parent);
/* Completes the names: a run without a name is named after its pipeline and six digits of its id.
 */
void run_finish_names(struct run *run);
/* Makes it a run of another engine: the command of `tracer run` turned out to be that engine. */
void run_adopt(struct run *run, const struct engine *engine, const struct exec_view *exec);

/* Names the pipeline after the command that it runs, if it has no name. */
void run_name_after_command(struct run *run, const char *tool);

/* Changes its state (run_state.h). */
void run_set_state(struct run *run, enum run_state state);
bool run_is_reported(const struct run *run);
/* Reports it from now on, or again. */
void run_report(struct entities *entities, struct run *run);
/* Reports a change of it, if it is reported. */
void run_changed(struct entities *entities, struct run *run);

/* Drops the references to tasks that others are compared with. */
void run_forget(struct run *run);
/* Ends it. */
void run_end(struct entities *entities, struct run *run, const struct ending *end);
/* The parts of run_end, for a run that may go on: records the outcome so far; records that the run
 * goes on; ends it for good. */
void run_record_end(struct entities *entities, struct run *run, const struct ending *end);
void run_wake(struct entities *entities, struct run *run);
void run_close(struct entities *entities, struct run *run);
/* Words of a record's `status`, static: "running"; "succeeded", "failed",
 * "killed", "lost". */
extern char status_running[], status_queued[];
char *status_of(int exit_code, int signal, bool lost);
