/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "signal/states_table.h"

/*
 * Where the wall time of a task went (docs/signal.md, Wall time of a task): that of its root, where
 * waiting for a child or for the other end of a pipe is replaced by what that process did
 * meanwhile. Pure. Instants are ns since 1970.
 */
enum wall_part {
#define WALL_PART(constant, ...) constant,
	WALL_TIMES(WALL_PART)
#undef WALL_PART
		WALL_PARTS
};

struct wall {
	double ns[WALL_PARTS]; /* they add up to the time that was asked for */
	double serial_ns;      /* of WALL_COMPUTING */
	double assumed_ns;     /* of all: in this class only if what a process did was spread evenly
				  over its life, since it counts for a part of its life */
};

#define WALL_NONE SIZE_MAX
/* The group of the engine, and of processes that a task started and that are of no task. */
#define WALL_NO_TASK 0

/* One program image of a process. */
struct wall_image {
	size_t process; /* its number; images of a process follow each other */
	size_t parent;  /* the process that started this one; WALL_NONE: not known */
	size_t group;   /* the task that it is of, or WALL_NO_TASK */
	int64_t began_at, ended_at;
	double ns[WALL_PARTS]; /* its own wall time: they add up to its life */
	double serial_ns;
	uint64_t pipe_in, pipe_out; /* that it reads from and writes to; 0: none known */
	int helper;                 /* it does no work of its own (tee): waited for last */
	int by_signal; /* it waits for a child by waiting for its signal (timeout, dash): of the
			  class "other" */
};

/* What is asked for: the processes of a group between two instants. */
struct wall_span {
	int64_t began_at, ended_at;
	size_t group; /* of no image: all of the time is unknown */
};

/* Sets ret[i] to where the time of spans[i] went. Images are sorted by process, then by began_at;
 * each process has at least one, and is of the group of its last image that is of a task. 0, or
 * -ENOMEM. */
int wall_find(const struct wall_image *images, size_t image_count, const struct wall_span *spans,
	      size_t span_count, struct wall *ret);

void wall_add(struct wall *sum, const struct wall *of);
