/* SPDX-License-Identifier: Apache-2.0 */
#include "server/query/run_wall.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/map.h"
#include "server/query/query.h"
#include "server/query/run_cache.h"
#include "server/query/run_wall_document.h"
#include "server/query/run_wall_read.h"
#include "server/server.h"

/* The figure of each part of wall time; NULL: that of none. */
static const char *const part_figures[WALL_PARTS] = {
#define PART(constant, figure, ...) [constant] = (figure),
	WALL_TIMES(PART)
#undef PART
};

static int ask_stamp(struct server *server, const char *id, struct run_stamp *ret,
		     struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("run", id) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = QUERY(server, "wall_stamp", params, &rows, err);

	if (rc == 0 && store_next(rows))
		*ret = (struct run_stamp){ row_i64(rows, "stamp"), row_bool(rows, "open") };
	return rc;
}

/* Reads all executions of the run. */
static int read_images(struct run_wall **ret, struct server *server, const char *id,
		       struct error *err)
{
	struct run_wall *walls = calloc(1, sizeof(*walls));
	int rc;

	if (!walls)
		return -ENOMEM;
	walls->references = 1;
	rc = run_wall_read(walls, server, id, err);
	if (rc)
		run_wall_put(walls);
	else
		*ret = walls;
	return rc;
}

static int get(struct run_wall **ret, struct server *server, const char *id, bool images,
	       struct error *err)
{
	CLEANUP(run_wall_putp) struct run_wall *walls = NULL;
	uint64_t began_ns = clock_monotonic_ns();
	struct run_stamp stamp = { 0 };
	int rc = ask_stamp(server, id, &stamp, err);

	if (rc)
		return rc;
	walls = run_cache_get(server->walls, id, &stamp, began_ns);
	if (walls && images && walls->summed) {
		run_wall_put(walls);
		walls = NULL;
	}
	if (!walls) {
		rc = images ? 0 : run_wall_document(&walls, server, id, err);
		if (rc == 0 && !walls)
			rc = read_images(&walls, server, id, err);
		if (rc)
			return rc;
		run_cache_put(server->walls, id, &stamp, walls,
			      walls->summed ? walls->count : walls->image_count, began_ns);
	}
	*ret = TAKE_PTR(walls);
	return 0;
}

int run_wall_get(struct run_wall **ret, struct server *server, const char *id, struct error *err)
{
	return get(ret, server, id, false, err);
}

int run_wall_get_images(struct run_wall **ret, struct server *server, const char *id,
			struct error *err)
{
	return get(ret, server, id, true, err);
}

static void hold(void *walls)
{
	atomic_fetch_add(&((struct run_wall *)walls)->references, 1);
}

static void release(void *walls)
{
	run_wall_put(walls);
}

/* A million images are some 180 MB. */
const struct run_cache_kind RUN_WALL_CACHE = { 32, 1000000, hold, release };

void run_wall_put(struct run_wall *walls)
{
	if (!walls || atomic_fetch_sub(&walls->references, 1) > 1)
		return;
	for (size_t i = 0; walls->steps && walls->tasks && i < walls->count; i++) {
		free(walls->tasks[i]);
		free(walls->steps[i]);
	}
	map_free(walls->index);
	free(walls->groups);
	free(walls->tasks);
	free(walls->steps);
	free(walls->images);
	free(walls);
}

int run_wall_spans(const struct run_wall *walls, const struct run_wall_span *spans, size_t count,
		   struct wall *ret)
{
	CLEANUP(freep) struct wall_span *asked = calloc(count ? count : 1, sizeof(*asked));

	if (!asked)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		struct map_text_key key = map_text_key(spans[i].task, strlen(spans[i].task));
		size_t group = (size_t)(uintptr_t)map_get(walls->index, &key);

		asked[i] = (struct wall_span){ spans[i].began_at, spans[i].ended_at,
					       group || !*spans[i].task ? group : WALL_NONE };
	}
	return wall_find(walls->images, walls->image_count, asked, count, ret);
}

const struct wall *run_wall_task(const struct run_wall *walls, const char *task)
{
	struct map_text_key key = map_text_key(task, strlen(task));
	size_t number = (size_t)(uintptr_t)map_get(walls->index, &key);

	return number ? &walls->groups[number] : NULL;
}

const struct wall *run_wall_engine(const struct run_wall *walls)
{
	return &walls->groups[0];
}

struct wall run_wall_step(const struct run_wall *walls, const char *step)
{
	struct wall sum = { 0 };

	for (size_t i = 1; i < walls->count; i++)
		if (!step || strcmp(walls->steps[i], step) == 0)
			wall_add(&sum, &walls->groups[i]);
	return sum;
}

static double figure_of(const struct wall *wall, const char *figure)
{
	for (int i = 0; wall && i < WALL_PARTS; i++)
		if (part_figures[i] && strcmp(part_figures[i], figure) == 0)
			return wall->ns[i];
	return wall ? wall->serial_ns : 0;
}

static struct cell ns_cell(const struct wall *wall, double ns)
{
	return wall ? cell_i64((int64_t)ns) : CELL_NONE;
}

void run_wall_cells(const struct wall *wall, struct cell cells[RUN_WALL_COUNT])
{
	size_t at = 0;

#define CELL(figure, kind) cells[at++] = ns_cell(wall, figure_of(wall, #figure));
	WALL_FIGURES(CELL)
#undef CELL
	cells[at++] = ns_cell(wall, wall ? wall->ns[WALL_UNKNOWN] : 0);
	cells[at] = ns_cell(wall, wall ? wall->assumed_ns : 0);
}
