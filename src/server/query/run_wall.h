/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdatomic.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "server/rows/row_writer.h"
#include "signal/figures_table.h"
#include "tune/wall.h"

/* Where the wall time of the tasks of a run, and of its engine, went. */
struct map;
struct run_cache_kind;
struct server;

/* Weighed by images; without them, by groups. */
extern const struct run_cache_kind RUN_WALL_CACHE;

/* Not changed once it is made: several requests may use it at the same time. */
struct run_wall {
	struct wall *groups;   /* that of the engine, then one a task */
	char **tasks, **steps; /* beside groups; their ids, and of which step they are */
	size_t count;
	struct map *index; /* of task ids: the task's number in groups */
	bool summed;       /* read from the summary of a settled run: it has no images */
	struct wall_image *images;
	size_t image_count;
	atomic_uint references;
};

/* Of the run with this id: what was found for an earlier request, where that is still right. It is
 * released by run_wall_put. -ENOMEM; -EIO with words. */
int run_wall_get(struct run_wall **ret, struct server *server, const char *id, struct error *err);
/* The same with images, as run_wall_spans needs them. */
int run_wall_get_images(struct run_wall **ret, struct server *server, const char *id,
			struct error *err);
void run_wall_put(struct run_wall *walls);
DEFINE_CLEANUP(struct run_wall *, run_wall_put)

/* A task between two instants; "": the processes of no task. */
struct run_wall_span {
	const char *task;
	int64_t began_at, ended_at;
};

/* Sets ret[i] to where the time of spans[i] went; of a task without a known process it is unknown.
 * 0, or -ENOMEM. */
int run_wall_spans(const struct run_wall *walls, const struct run_wall_span *spans, size_t count,
		   struct wall *ret);

/* NULL: no process of the task is known. */
const struct wall *run_wall_task(const struct run_wall *walls, const char *task);
const struct wall *run_wall_engine(const struct run_wall *walls);
/* The sum over the tasks of a step; NULL: over all tasks. */
struct wall run_wall_step(const struct run_wall *walls, const char *step);

/* Its columns, and the cells of a row with them. */
#define RUN_WALL_COLUMN(name, kind) { #name, STORE_I64 },
#define RUN_WALL_COLUMNS                                               \
	WALL_FIGURES(RUN_WALL_COLUMN){ "wall_unknown_ns", STORE_I64 }, \
	{                                                              \
		"wall_assumed_ns", STORE_I64                           \
	}
#define RUN_WALL_COUNT (WALL_PARTS + 2)
/* wall NULL: cells without a value. */
void run_wall_cells(const struct wall *wall, struct cell cells[RUN_WALL_COUNT]);
