/* SPDX-License-Identifier: Apache-2.0 */
#include "server/query/run_wall_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "server/query/process_key.h"
#include "server/query/run_rows.h"

/* The figure of each part of wall time; NULL: that of none. */
static const char *const part_figures[WALL_PARTS] = {
#define PART(constant, figure, ...) [constant] = (figure),
	WALL_TIMES(PART)
#undef PART
};

#define PROCESSES_MAX 2000000 /* of one run; of more: -ENOMEM */
#define PAGE_ROWS     100000  /* that are read at a time */

/* What is read of the rows. */
struct reading {
	struct run_wall *walls;
	struct process_key *parents; /* beside walls->images */
	struct wall_span *spans;     /* of each group, all of it */
	size_t room, span_room;
	struct map *processes; /* of keys: 1 + the process's number */
	size_t process_count;
};

/* The number of the group of a task; a new one if need be. -ENOMEM. */
static int group_of(struct reading *reading, const struct store_rows *rows, size_t *ret)
{
	struct run_wall *walls = reading->walls;
	const char *task = row_text(rows, "task_id");
	struct map_text_key key = map_text_key(task, strlen(task));
	size_t room = 2 * (walls->count + 8);

	*ret = (size_t)(uintptr_t)map_get(walls->index, &key);
	if (*ret || !*task)
		return 0;
	if (walls->count == reading->span_room) {
		void *spans = realloc(reading->spans, room * sizeof(*reading->spans));
		void *steps = realloc(walls->steps, room * sizeof(*walls->steps));
		void *tasks = realloc(walls->tasks, room * sizeof(*walls->tasks));

		reading->spans = spans ? spans : reading->spans;
		walls->steps = steps ? steps : walls->steps;
		walls->tasks = tasks ? tasks : walls->tasks;
		if (!spans || !steps || !tasks)
			return -ENOMEM;
		reading->span_room = room;
	}
	*ret = walls->count;
	walls->steps[*ret] = row_copy_text(rows, "step");
	walls->tasks[*ret] = strdup(task);
	walls->count++;
	if (!walls->steps[*ret] || !walls->tasks[*ret])
		return -ENOMEM;
	reading->spans[*ret] = (struct wall_span){ row_i64(rows, "task_began_at"),
						   row_i64(rows, "task_ended_at"), *ret };
	return map_put(walls->index, &key, (void *)(uintptr_t)*ret);
}

/* What is in no class is unknown; of an image that ended, its life is known by the boot-time clock.
 */
static void take_classes(struct wall_image *image, const struct store_rows *rows)
{
	double life = (double)row_i64(rows, "wall_ns"), sum = 0;

	if (!(life > 0))
		life = (double)(image->ended_at - image->began_at);
	for (int i = 0; i < WALL_PARTS; i++) {
		if (part_figures[i])
			image->ns[i] = (double)row_i64(rows, part_figures[i]);
		sum += image->ns[i];
	}
	image->ns[WALL_UNKNOWN] = life > sum ? life - sum : 0;
	image->serial_ns = (double)row_i64(rows, "wall_serial_ns");
}

/* The engine's time is from the begin of its first process to the end of its last one. */
static void widen(struct wall_span *span, const struct wall_image *image)
{
	if (!span->began_at || image->began_at < span->began_at)
		span->began_at = image->began_at;
	if (image->ended_at > span->ended_at)
		span->ended_at = image->ended_at;
}

static int take_image(struct reading *reading, const struct store_rows *rows)
{
	struct process_key key = process_key_of(rows, "pid", "start_ns");
	size_t number = (size_t)(uintptr_t)map_get(reading->processes, &key);
	struct wall_image *image = &reading->walls->images[reading->walls->image_count];
	int rc;

	*image = (struct wall_image){ .began_at = row_i64(rows, "started_at"),
				      .ended_at = row_i64(rows, "ended_at"),
				      .pipe_in = (uint64_t)row_i64(rows, "pipe_in"),
				      .pipe_out = (uint64_t)row_i64(rows, "pipe_out"),
				      .helper = row_bool(rows, "helper"),
				      .by_signal = row_bool(rows, "by_signal"),
				      .parent = WALL_NONE };
	take_classes(image, rows);
	rc = group_of(reading, rows, &image->group);
	if (rc == 0 && !number) {
		number = ++reading->process_count;
		rc = map_put(reading->processes, &key, (void *)(uintptr_t)number);
	}
	if (rc)
		return rc;
	image->process = number - 1;
	reading->parents[reading->walls->image_count++] =
		process_key_of(rows, "ppid", "parent_start_ns");
	if (image->group == WALL_NO_TASK)
		widen(reading->spans, image);
	return 0;
}

/* Pipes of several hosts may have the same number. */
static uint64_t pipe_on_host(uint64_t pipe, const struct map_text_key *host)
{
	uint64_t hash;

	memcpy(&hash, host, sizeof(hash));
	return pipe ? pipe ^ (hash << 32) : 0;
}

static void link_images(struct reading *reading)
{
	struct run_wall *walls = reading->walls;

	for (size_t i = 0; reading->parents && i < walls->image_count; i++) {
		const struct process_key *parent = &reading->parents[i];
		size_t number = (size_t)(uintptr_t)map_get(reading->processes, parent);
		struct wall_image *image = &walls->images[i];

		image->parent = number ? number - 1 : WALL_NONE;
		image->pipe_in = pipe_on_host(image->pipe_in, &parent->host);
		image->pipe_out = pipe_on_host(image->pipe_out, &parent->host);
	}
}

static int make_room(struct reading *reading)
{
	struct run_wall *walls = reading->walls;
	size_t room = 2 * (reading->room + 128);
	void *images, *parents;

	if (walls->image_count < reading->room)
		return 0;
	images = realloc(walls->images, room * sizeof(*walls->images));
	walls->images = images ? images : walls->images;
	parents = realloc(reading->parents, room * sizeof(*reading->parents));
	reading->parents = parents ? parents : reading->parents;
	if (!images || !parents)
		return -ENOMEM;
	reading->room = room;
	return 0;
}

/* The engine is the first group. */
static int begin(struct reading *reading)
{
	struct run_wall *walls = reading->walls;

	walls->index = map_new_of_texts(PROCESSES_MAX);
	walls->steps = calloc(1, sizeof(*walls->steps));
	walls->tasks = calloc(1, sizeof(*walls->tasks));
	reading->spans = calloc(1, sizeof(*reading->spans));
	reading->processes = map_new(sizeof(struct process_key), PROCESSES_MAX);
	reading->span_room = walls->count = 1;
	return walls->index && walls->steps && walls->tasks && reading->spans && reading->processes
		       ? 0
		       : -ENOMEM;
}

/* Returns how many rows there were. */
static int read_page(struct reading *reading, struct server *server, const char *id, int64_t offset,
		     struct error *err)
{
	const struct run_rows_query query = { "wall_images", PAGE_ROWS, offset };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = run_rows_ask(server, &query, id, &rows, err), count = 0;

	while (rc == 0 && store_next(rows)) {
		count++;
		rc = make_room(reading);
		if (rc == 0)
			rc = take_image(reading, rows);
	}
	return rc ? rc : count;
}

static int read_pages(struct reading *reading, struct server *server, const char *id,
		      struct error *err)
{
	int rc = begin(reading), count = PAGE_ROWS;

	for (int64_t at = 0; rc == 0 && count == PAGE_ROWS; at += PAGE_ROWS) {
		count = read_page(reading, server, id, at, err);
		rc = count < 0 ? count : 0;
	}
	if (rc == 0)
		link_images(reading);
	return rc;
}

static int find_groups(struct reading *reading)
{
	struct run_wall *walls = reading->walls;

	walls->groups = calloc(walls->count, sizeof(struct wall));
	if (!walls->groups)
		return -ENOMEM;
	return wall_find(walls->images, walls->image_count, reading->spans, walls->count,
			 walls->groups);
}

int run_wall_read(struct run_wall *ret, struct server *server, const char *id, struct error *err)
{
	struct reading reading = { .walls = ret };
	int rc = read_pages(&reading, server, id, err);

	if (rc == 0)
		rc = find_groups(&reading);
	map_free(reading.processes);
	free(reading.parents);
	free(reading.spans);
	if (rc == -ENOMEM || rc == -ENOSPC)
		return error_set(err, -ENOMEM, "no memory for the wall time of the run");
	return rc;
}
