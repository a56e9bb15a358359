/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/error.h"
#include "server/rows/row_writer.h"
#include "signal/figures_table.h"
#include "tune/wall.h"

/* Where the wall time of the tasks of a run, and of its engine, went. */
struct map;
struct server;
struct store_rows;

struct run_wall {
	struct wall *groups; /* that of the engine, then one a task */
	const char **steps;  /* beside groups */
	size_t count;
	struct map *index; /* of task ids: the task's number in groups */
	struct store_rows *rows;
};

/* Of the run with this id. -ENOMEM; -EIO with words. run_wall_clear in any case. */
int run_wall_make(struct run_wall *ret, struct server *server, const char *id, struct error *err);
void run_wall_clear(struct run_wall *walls);

/* A task between two instants. */
struct run_wall_span {
	const char *task;
	int64_t began_at, ended_at;
};

/* Sets ret[i] to where the time of spans[i], of the run with this id, went; of a task without a
 * known process it is unknown. -ENOMEM; -EIO with words. */
int run_wall_spans(struct server *server, const char *id, const struct run_wall_span *spans,
		   size_t count, struct wall *ret, struct error *err);

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
