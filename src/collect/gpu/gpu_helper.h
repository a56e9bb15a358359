/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "gpu/line.h"

struct event_base;

/*
 * A tracer-gpu that is started when there is something to watch, and its end of the pipe. What it
 * says is checked line by line; at the first that is none it is ended. When it fails it is started
 * again, later each time. Without threads: the owner ticks it once a second.
 */
struct gpu_helper;

struct gpu_helper_options {
	const char *program; /* absolute path; "": tracer-gpu beside this program */
	const char *source;  /* its first argument */
	const char *library_folder;
	void (*on_line)(void *context, const struct gpu_line *line);
	/* It is gone, or could not be started; words: why, "" when it was not wanted any more. */
	void (*on_end)(void *context, const char *words);
	void *context;
};

#define GPU_RESTART_S  1          /* before it is started again; doubled each time */
#define GPU_RESTARTS_S 600        /* but no longer */
#define GPU_SETTLED_S  60         /* it ran so long: the next failure is the first again */
#define GPU_SILENT_S   30         /* without a word: it hangs */
#define GPU_BYTES_S    (4u << 20) /* more in a second: it has gone mad */

/* The texts of the options are not owned. NULL: no memory. */
struct gpu_helper *gpu_helper_new(struct event_base *base,
				  const struct gpu_helper_options *options);
void gpu_helper_free(struct gpu_helper *helper); /* ends it; NULL is fine */
/* Once a second: starts it when it is wanted and due, ends it when it is not or does not behave. */
void gpu_helper_tick(struct gpu_helper *helper, bool wanted);
/* To be called by on_line: what it said makes no sense. It is ended when the line is done with. */
void gpu_helper_refuse(struct gpu_helper *helper, const char *words);

struct gpu_helper_status {
	bool running;
	uint64_t starts;
	const char *words; /* of its last note or failure; "": none */
};
struct gpu_helper_status gpu_helper_status(const struct gpu_helper *helper);

/* The program's path into ret: who may write it must be root, this user, or the owner of this
 * program. -ENOENT, -EPERM with words. */
int gpu_helper_find(const char *program, char *ret, size_t size, struct error *err);
