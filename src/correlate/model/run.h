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

#define RUN_STEP_LIMIT  256 /* steps whose tasks are compared for their samples */
#define RUN_LABEL_LIMIT 32
#define RUN_PIPE_LIMIT  4096 /* that lead to live tasks */

/* Tasks of the same kind: what one of them is compared with. */
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
	bool link_sent;         /* what links it to its parts was reported (tree_run_is_new) */
	bool part;              /* of a run of an engine elsewhere */
	char *folder;           /* that it shares with its parts; NULL: none */
	char *workflow, *node;  /* that it is one of, as which (engine_argo.c); NULL: not known */
	struct request request; /* of `tracer run`, for its one task */
	struct step steps[RUN_STEP_LIMIT];
	size_t step_count;
	struct task **rules; /* one of each name that a record gave (output_names.h); references */
	size_t rule_count;
	size_t queued; /* of its tasks (queue.h) */
	unsigned
		processes; /* processes by themselves that are it (rootless_run.h); 0: it has a root
			    */
	struct ending end; /* as far as they have ended */
	bool script_ended, job_named;
	bool in_idle_runs;    /* the tree keeps it, so that it can go on (rootless_run.c) */
	bool by_daemon;       /* they are its engine's (daemon_run.h) */
	struct map *failing;  /* of those, what failed and was not done well since */
	struct ending failed; /* how the last of it did */
	struct map *pipes;    /* of a driver: of pipes, the tasks they lead to */
	struct map *failures; /* of command lines (map_text_key): how many tasks of it failed */
};

/* A run that begins with an image. NULL: no memory. The caller has its one reference. */
struct run *run_new(struct entities *entities, const char *host_id, const struct engine *engine,
		    const struct exec_view *exec);
void run_free(struct run *run); /* by its last reference */

/* What engines fill in; a name that the user gave stays. */
void run_set_pipeline(struct run *run, const char *pipeline, bool by_user);
void run_set_name(struct run *run, const char *name, bool by_user);
void run_add_label(struct run *run, const char *key, size_t key_len, const char *value);
/* Adds value to those of a label ("a,b"). false: it is among them, or there is no room. */
bool run_add_to_label(struct run *run, const char *key, const char *value);
/* Where it works, which its parts share: it is told of so from now on. */
void run_set_folder(struct run *run, const char *folder, size_t len);
/* The run that it was started in. */
void run_set_parent(struct run *run, const struct run *parent);
/* Completes the names: a name that nobody gave is the pipeline's with six digits of the run's id.
 */
void run_finish_names(struct run *run);
/* A `tracer run` whose command turned out to be an engine is that engine's run. */
void run_adopt(struct run *run, const struct engine *engine, const struct exec_view *exec);

/* Names a pipeline that nobody named after the command it runs. */
void run_name_after_command(struct run *run, const char *tool);

/* Changes its state (run_state.h). */
void run_set_state(struct run *run, enum run_state state);
bool run_is_reported(const struct run *run);
/* Reports it from now on, or again. */
void run_report(struct entities *entities, struct run *run);
/* Reports a change of it, if it is reported. */
void run_changed(struct entities *entities, struct run *run);

/* Lets go of the tasks it compares others with. */
void run_forget(struct run *run);
/* Ends it. */
void run_end(struct entities *entities, struct run *run, const struct ending *end);
/* The halves of that, for one that may go on: how it ended, as far as is seen; it goes on; nothing
 * more of it comes. */
void run_tell_end(struct entities *entities, struct run *run, const struct ending *end);
void run_wake(struct entities *entities, struct run *run);
void run_close(struct entities *entities, struct run *run);
/* Words for a record's `status`, which does not own them: "running"; "succeeded", "failed",
 * "killed", "lost". */
extern char status_running[], status_queued[];
char *status_of(int exit_code, int signal, bool lost);
