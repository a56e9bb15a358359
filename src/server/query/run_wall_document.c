/* SPDX-License-Identifier: Apache-2.0 */
#include "server/query/run_wall_document.h"

#include <errno.h>
#include <string.h>

#include "base/json.h"
#include "base/map.h"
#include "server/query/run_document.h"

#define NUMBERS (WALL_PARTS + 2) /* of a struct wall */

static void write_wall(struct json *json, const struct wall *wall)
{
	json_array_begin(json);
	for (int i = 0; i < WALL_PARTS; i++)
		json_double(json, wall->ns[i]);
	json_double(json, wall->serial_ns);
	json_double(json, wall->assumed_ns);
	json_array_end(json);
}

static bool read_wall(const json_t *numbers, struct wall *ret)
{
	if (json_array_size(numbers) != NUMBERS)
		return false;
	for (size_t i = 0; i < WALL_PARTS; i++)
		ret->ns[i] = json_number_value(json_array_get(numbers, i));
	ret->serial_ns = json_number_value(json_array_get(numbers, WALL_PARTS));
	ret->assumed_ns = json_number_value(json_array_get(numbers, WALL_PARTS + 1));
	return true;
}

/* A row for each group, that of the engine first: task, step, numbers. */
static void write_groups(const struct run_wall *walls, struct buffer *out)
{
	struct json json;

	json_init(&json, out, false);
	json_array_begin(&json);
	for (size_t i = 0; i < walls->count; i++) {
		json_array_begin(&json);
		json_text(&json, i ? walls->tasks[i] : "");
		json_text(&json, i ? walls->steps[i] : "");
		write_wall(&json, &walls->groups[i]);
		json_array_end(&json);
	}
	json_array_end(&json);
}

static int read_group(struct run_wall *walls, const json_t *row)
{
	const char *task = json_string_value(json_array_get(row, 0));
	const char *step = json_string_value(json_array_get(row, 1));
	size_t number = walls->count;
	struct map_text_key key;

	if (!task || !step || !read_wall(json_array_get(row, 2), &walls->groups[number]))
		return -EPROTO;
	walls->tasks[number] = strdup(task);
	walls->steps[number] = strdup(step);
	walls->count++;
	if (!walls->tasks[number] || !walls->steps[number])
		return -ENOMEM;
	key = map_text_key(task, strlen(task));
	return number ? map_put(walls->index, &key, (void *)(uintptr_t)number) : 0;
}

static int read_groups(struct run_wall *walls, const json_t *document)
{
	size_t count = json_array_size(document);
	int rc = count ? 0 : -EPROTO;

	walls->groups = calloc(count + 1, sizeof(*walls->groups));
	walls->steps = calloc(count + 1, sizeof(*walls->steps));
	walls->tasks = calloc(count + 1, sizeof(*walls->tasks));
	walls->index = map_new_of_texts(count + 1);
	if (!walls->groups || !walls->steps || !walls->tasks || !walls->index)
		return -ENOMEM;
	for (size_t i = 0; i < count && !rc; i++)
		rc = read_group(walls, json_array_get(document, i));
	return rc;
}

int run_wall_document(struct run_wall **ret, struct server *server, const char *id,
		      struct error *err)
{
	CLEANUP(json_decref_ofp) json_t *document = NULL;
	struct run_wall *walls;
	int rc = run_document_read(server, id, "wall", &document, err);

	*ret = NULL;
	if (rc || !document)
		return rc;
	walls = calloc(1, sizeof(*walls));
	if (!walls)
		return -ENOMEM;
	walls->references = 1;
	walls->summed = true;
	rc = read_groups(walls, document);
	if (rc == 0)
		*ret = walls;
	else
		run_wall_put(walls);
	return rc == -EPROTO ? 0 : rc;
}

bool run_wall_document_path(struct dataflow *dataflow, struct server *server, const char *id)
{
	CLEANUP(json_decref_ofp) json_t *document = NULL;
	struct error err = { "" };
	bool same = run_document_read(server, id, "path", &document, &err) == 0 && document &&
		    json_array_size(document) == dataflow->path.count;

	for (size_t i = 0; same && i < dataflow->path.count; i++)
		same = read_wall(json_array_get(document, i), &dataflow->path_walls[i]);
	return same;
}

static int keep_path(struct server *server, const char *id, uint64_t settled, struct error *err)
{
	CLEANUP(dataflow_clear) struct dataflow dataflow = { 0 };
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	struct json json;
	int rc = dataflow_make(&dataflow, server, id, err);

	if (rc == 0)
		rc = dataflow_make_walls(&dataflow, server, id, err);
	if (rc)
		return rc;
	buffer_init(&text, 0);
	json_init(&json, &text, false);
	json_array_begin(&json);
	for (size_t i = 0; i < dataflow.path.count; i++)
		write_wall(&json, &dataflow.path_walls[i]);
	json_array_end(&json);
	return run_document_keep(server, id, settled, "path", &text, err);
}

int run_wall_keep(struct server *server, const char *id, uint64_t settled, struct error *err)
{
	CLEANUP(run_wall_putp) struct run_wall *walls = NULL;
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	int rc = run_wall_get_images(&walls, server, id, err);

	if (rc)
		return rc;
	buffer_init(&text, 0);
	write_groups(walls, &text);
	rc = run_document_keep(server, id, settled, "wall", &text, err);
	return rc ? rc : keep_path(server, id, settled, err);
}
