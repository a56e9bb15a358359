#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "correlate/engine.h"
#include "correlate/entity.h"
#include "correlate/shape.h"
#include "correlate/shell.h"

#define TASK_FAILURE_LIMIT 4096 /* command lines a run remembers to count attempts */

struct task {
	struct entity entity;
	Signal__Task record;
	struct run *run; /* a reference */
	struct shape shape;
	char *shell_text; /* masked command line of the root, then programs of shells inside */
	size_t root_len;  /* how much of shell_text is the root's */
	bool named;       /* by its engine */
};

/* A task of run that begins with an image. NULL: no memory. The caller has its one reference. */
struct task *task_new(struct entities *entities, const char *host_id, struct run *run,
		      const struct sight *sight);
void task_free(struct task *task);  /* by its last reference */
void task_unref(struct task *task); /* NULL is fine */

/* Whether its root is its run's: the one task of a `tracer run`. */
bool task_is_whole_run(const struct task *task);
/* An image that began inside it. true: its record changed. */
bool task_image(struct task *task, const struct sight *sight);
/* The name its engine has for its step, and what tells it from its siblings ("" where nothing). */
void task_set_name(struct task *task, const char *step, const char *sample);
/* A request; of several the larger. by: "tracer run", "cgroup". true: its record changed. */
bool task_request(struct task *task, struct request request, const char *by);
/* Ends it, gives it its final step and sample. May change the record of an earlier task. */
void task_end(struct entities *entities, const struct rules *rules, struct task *task,
	      int exit_code, int signal, bool lost, int64_t ended_at);
