#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "correlate/engine.h"
#include "correlate/entity.h"
#include "correlate/record.h"
#include "correlate/tree.h"

#define RUN_STEP_LIMIT  256 /* steps whose tasks are compared for their samples */
#define RUN_LABEL_LIMIT 32

/* Tasks of the same kind: what one of them is compared with. */
struct step {
	char *label;        /* as a record's text */
	struct task *first; /* a reference */
};

struct run {
	struct entity entity;
	Signal__Run record;
	const struct engine *engine;
	uint64_t image_seq; /* of the engine's image */
	uint64_t cgroup_id;
	bool announced; /* false: `tracer run` has not started its command yet */
	bool named, pipeline_named;
	struct request request; /* of `tracer run`, for its one task */
	struct step steps[RUN_STEP_LIMIT];
	size_t step_count;
	struct map *failures; /* of command lines (map_text_key): how many tasks of it failed */
};

/* A run that begins with an image. NULL: no memory. The caller has its one reference. */
struct run *run_new(struct entities *entities, const char *host_id, const struct engine *engine,
		    const struct sight *sight);
void run_free(struct run *run); /* by its last reference */

/* What engines fill in; a name that the user gave stays. */
void run_set_pipeline(struct run *run, const char *pipeline, bool by_user);
void run_set_name(struct run *run, const char *name, bool by_user);
void run_add_label(struct run *run, const char *key, size_t key_len, const char *value);
/* Completes the names: a name that nobody gave is the pipeline's with six digits of the run's id.
 */
void run_finish_names(struct run *run);
/* A `tracer run` whose command turned out to be an engine is that engine's run. */
void run_adopt(struct run *run, const struct engine *engine, const struct sight *sight);

/* Names a pipeline that nobody named after the command it runs. */
void run_name_after_command(struct run *run, const char *tool);

/* Lets go of the tasks it compares others with. */
void run_forget(struct run *run);
/* Ends it: by exit code and signal, or lost. */
void run_end(struct entities *entities, struct run *run, int exit_code, int signal, bool lost,
	     int64_t ended_at);
/* "succeeded", "failed", "killed", "lost". */
const char *status_of(int exit_code, int signal, bool lost);
