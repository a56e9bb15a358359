/* SPDX-License-Identifier: Apache-2.0 */
#include "server/query/run_wall.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/map.h"
#include "server/query/query.h"

/* The figure of each part of wall time; NULL: that of none. */
static const char *const part_figures[WALL_PARTS] = {
#define PART(constant, figure, ...) [constant] = (figure),
	WALL_TIMES(PART)
#undef PART
};

#define PROCESSES_MAX 4000000 /* of one run; of more, none has a wall time */

/* What is read of the rows. */
struct reading {
	struct run_wall *walls;
	struct wall_image *images;
	struct wall_span *spans; /* of each group, all of it */
	size_t count, room, span_room;
	struct map *processes; /* of keys: 1 + the process's number */
	size_t process_count;
};

struct process_key {
	struct map_text_key host;
	int64_t pid, start_ns;
};

static struct process_key key_of(const struct store_rows *rows, const char *pid,
				 const char *start_ns)
{
	const char *host = row_text(rows, "host_id");
	struct process_key key;

	memset(&key, 0, sizeof(key)); /* its padding is compared, too */
	key.host = map_text_key(host, strlen(host));
	key.pid = row_i64(rows, pid);
	key.start_ns = row_i64(rows, start_ns);
	return key;
}

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

		reading->spans = spans ? spans : reading->spans;
		walls->steps = steps ? steps : walls->steps;
		if (!spans || !steps)
			return -ENOMEM;
		reading->span_room = room;
	}
	*ret = walls->count++;
	walls->steps[*ret] = row_text(rows, "step");
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

static int take_image(struct reading *reading, const struct store_rows *rows)
{
	struct process_key key = key_of(rows, "pid", "start_ns");
	size_t number = (size_t)(uintptr_t)map_get(reading->processes, &key);
	struct wall_image *image = &reading->images[reading->count];
	struct wall_span *engine = reading->spans;
	int rc = 0;

	*image = (struct wall_image){ .began_at = row_i64(rows, "started_at"),
				      .ended_at = row_i64(rows, "ended_at"),
				      .pipe_in = (uint64_t)row_i64(rows, "pipe_in"),
				      .pipe_out = (uint64_t)row_i64(rows, "pipe_out"),
				      .helper = row_bool(rows, "helper"),
				      .parent = WALL_NONE };
	take_classes(image, rows);
	rc = group_of(reading, rows, &image->group);
	if (rc == 0 && !number) {
		number = ++reading->process_count;
		rc = map_put(reading->processes, &key, (void *)(uintptr_t)number);
	}
	image->process = number - 1;
	reading->count++;
	if (image->group == 0 && (!engine->began_at || image->began_at < engine->began_at))
		engine->began_at = image->began_at;
	if (image->group == 0 && image->ended_at > engine->ended_at)
		engine->ended_at = image->ended_at;
	return rc;
}

/* Pipes of several hosts may have the same number. */
static uint64_t pipe_on_host(uint64_t pipe, const struct map_text_key *host)
{
	uint64_t hash;

	memcpy(&hash, host, sizeof(hash));
	return pipe ? pipe ^ (hash << 32) : 0;
}

static void link_images(struct reading *reading, struct store_rows *rows)
{
	store_rewind(rows);
	for (size_t i = 0; i < reading->count && store_next(rows); i++) {
		struct process_key parent = key_of(rows, "ppid", "parent_start_ns");
		size_t number = (size_t)(uintptr_t)map_get(reading->processes, &parent);
		struct wall_image *image = &reading->images[i];

		image->parent = number ? number - 1 : WALL_NONE;
		image->pipe_in = pipe_on_host(image->pipe_in, &parent.host);
		image->pipe_out = pipe_on_host(image->pipe_out, &parent.host);
	}
}

static int make_room(struct reading *reading)
{
	size_t room = 2 * (reading->room + 512);
	struct wall_image *images;

	if (reading->count < reading->room)
		return 0;
	images = realloc(reading->images, room * sizeof(*images));
	if (!images)
		return -ENOMEM;
	reading->images = images;
	reading->room = room;
	return 0;
}

/* The engine is the first group. */
static int begin(struct reading *reading)
{
	struct run_wall *walls = reading->walls;

	walls->index = map_new_of_texts(PROCESSES_MAX);
	walls->steps = calloc(1, sizeof(*walls->steps));
	reading->spans = calloc(1, sizeof(*reading->spans));
	reading->processes = map_new(sizeof(struct process_key), PROCESSES_MAX);
	reading->span_room = walls->count = 1;
	return walls->index && walls->steps && reading->spans && reading->processes ? 0 : -ENOMEM;
}

static int read_images(struct reading *reading)
{
	int rc = begin(reading);

	while (rc == 0 && store_next(reading->walls->rows)) {
		rc = make_room(reading);
		if (rc == 0)
			rc = take_image(reading, reading->walls->rows);
	}
	if (rc == 0)
		link_images(reading, reading->walls->rows);
	return rc;
}

static int read_run(struct reading *reading, struct server *server, const char *id,
		    struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("run", id) };
	int rc = QUERY(server, "wall_images", params, &reading->walls->rows, err);

	return rc ? rc : read_images(reading);
}

static void reading_clear(struct reading *reading)
{
	map_free(reading->processes);
	free(reading->images);
	free(reading->spans);
}

static int explain(int rc, struct error *err)
{
	if (rc == -ENOMEM || rc == -ENOSPC)
		return error_set(err, -ENOMEM, "no memory for the wall time of the run");
	return rc;
}

static int find_groups(struct reading *reading)
{
	struct run_wall *walls = reading->walls;

	walls->groups = calloc(walls->count, sizeof(struct wall));
	if (!walls->groups)
		return -ENOMEM;
	return wall_find(reading->images, reading->count, reading->spans, walls->count,
			 walls->groups);
}

int run_wall_make(struct run_wall *ret, struct server *server, const char *id, struct error *err)
{
	CLEANUP(reading_clear) struct reading reading = { .walls = ret };
	int rc;

	*ret = (struct run_wall){ 0 };
	rc = read_run(&reading, server, id, err);
	return explain(rc ? rc : find_groups(&reading), err);
}

static int find_spans(const struct reading *reading, const struct run_wall_span *spans,
		      size_t count, struct wall *ret)
{
	CLEANUP(freep) struct wall_span *asked = calloc(count ? count : 1, sizeof(*asked));

	if (!asked)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		struct map_text_key key = map_text_key(spans[i].task, strlen(spans[i].task));
		size_t group = (size_t)(uintptr_t)map_get(reading->walls->index, &key);

		asked[i] = (struct wall_span){ spans[i].began_at, spans[i].ended_at,
					       group ? group : WALL_NONE };
	}
	return wall_find(reading->images, reading->count, asked, count, ret);
}

int run_wall_spans(struct server *server, const char *id, const struct run_wall_span *spans,
		   size_t count, struct wall *ret, struct error *err)
{
	CLEANUP(run_wall_clear) struct run_wall walls = { 0 };
	CLEANUP(reading_clear) struct reading reading = { .walls = &walls };
	int rc = read_run(&reading, server, id, err);

	return explain(rc ? rc : find_spans(&reading, spans, count, ret), err);
}

void run_wall_clear(struct run_wall *walls)
{
	map_free(walls->index);
	free(walls->groups);
	free(walls->steps);
	store_rows_free(walls->rows);
	*walls = (struct run_wall){ 0 };
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
