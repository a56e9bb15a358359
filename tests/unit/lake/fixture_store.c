/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include "fixture_row_json.h"
#include "new_store.h"

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"
#include "lake/store/named_query.h"

#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define PARAMS_MAX 16

/* What lake_query and lake_query_json answered last. */
static struct buffer answer;

void lake_make(struct lake *lake)
{
	lake_make_on(lake, NULL);
}

void lake_make_on(struct lake *lake, const char *engine)
{
	*lake = (struct lake){ .engine = engine };
	snprintf(lake->folder, sizeof(lake->folder), "/tmp/tracer-lake-test-XXXXXX");
	assert_non_null(mkdtemp(lake->folder));
	snprintf(lake->path, sizeof(lake->path), "%s/tracer.duckdb", lake->folder);
	if (!engine)
		new_store_copy(lake->path);
	lake_open(lake);
}

char *lake_log_folder(const struct lake *lake)
{
	char *folder;

	assert_true(asprintf(&folder, "%s/batch-log", lake->folder) > 0);
	return folder;
}

void lake_open(struct lake *lake)
{
	CLEANUP(freep) char *log_folder = lake_log_folder(lake);
	struct store_options options = { .engine = lake->engine,
					 .path = lake->path,
					 .threads = 2,
					 .log_folder = lake->logged ? log_folder : NULL };
	struct error err = { 0 };

	if (store_open(&lake->store, &options, &err))
		fail_msg("store_open: %s", error_text(&err));
}

void lake_close(struct lake *lake)
{
	store_close(lake->store);
	lake->store = NULL;
}

void lake_remove(struct lake *lake)
{
	lake_close(lake);
	if (answer.data)
		buffer_clear(&answer);
	file_remove_tree(lake->folder);
}

int lake_setup(void **state)
{
	static struct lake lake;

	lake_make(&lake);
	*state = &lake;
	return 0;
}

int lake_teardown(void **state)
{
	lake_remove(*state);
	return 0;
}

void made_init(struct made *made, uint64_t sequence)
{
	signal__batch__init(&made->batch);
	made->batch.agent_id = "agent";
	made->batch.host_id = "host";
	made->batch.boot_id = "boot";
	made->batch.sequence = sequence;
	made->batch.created_at = T0 + (int64_t)sequence * S;
}

static void *at(void *message, size_t offset)
{
	return (char *)message + offset;
}

static void free_message(ProtobufCMessage *message)
{
	const ProtobufCFieldDescriptor *figures =
		protobuf_c_message_descriptor_get_field_by_name(message->descriptor, "figures");

	if (figures)
		free(*(void **)at(message, figures->offset));
	free(message);
}

void made_clear(struct made *made)
{
	for (unsigned i = 0; i < signal__batch__descriptor.n_fields; i++) {
		const ProtobufCFieldDescriptor *field = &signal__batch__descriptor.fields[i];
		size_t *count = at(&made->batch, field->quantifier_offset);
		ProtobufCMessage ***items = at(&made->batch, field->offset);

		if (field->label != PROTOBUF_C_LABEL_REPEATED)
			continue;
		for (size_t k = 0; k < *count; k++)
			free_message((*items)[k]);
		free(*items);
	}
	signal__batch__init(&made->batch);
}

void *made_add(struct made *made, const char *name)
{
	const ProtobufCFieldDescriptor *field =
		protobuf_c_message_descriptor_get_field_by_name(&signal__batch__descriptor, name);
	const ProtobufCMessageDescriptor *kind = field->descriptor;
	size_t *count = at(&made->batch, field->quantifier_offset);
	void ***items = at(&made->batch, field->offset);
	void *message = calloc(1, kind->sizeof_message);

	protobuf_c_message_init(kind, message);
	*items = realloc(*items, (*count + 1) * sizeof(**items));
	assert_non_null(*items);
	(*items)[(*count)++] = message;
	return message;
}

static int64_t after(double seconds)
{
	return seconds < 0 ? 0 : T0 + (int64_t)(seconds * 1e9);
}

Signal__Figures *made_figures(Signal__Figures **figures)
{
	if (!*figures) {
		*figures = calloc(1, sizeof(**figures));
		signal__figures__init(*figures);
	}
	return *figures;
}

Signal__Execution *made_execution(struct made *made, uint32_t pid, const char *task,
				  const char *tool, double begin, double end)
{
	Signal__Execution *execution = made_add(made, "executions");

	execution->pid = pid;
	execution->start_ns = pid * UINT64_C(1000);
	execution->image_seq = pid;
	execution->run_id = "run";
	execution->task_id = (char *)(uintptr_t)task;
	execution->tool = (char *)(uintptr_t)tool;
	execution->started_at = after(begin);
	execution->ended_at = after(end);
	execution->status = end < 0 ? "running" : "succeeded";
	if (end >= 0)
		execution->wall_ns = (uint64_t)((end - begin) * 1e9);
	made_figures(&execution->figures);
	return execution;
}

Signal__Task *made_task(struct made *made, const char *id, const char *step, double begin,
			double end)
{
	Signal__Task *task = made_add(made, "tasks");

	task->task_id = (char *)(uintptr_t)id;
	task->run_id = "run";
	task->step = (char *)(uintptr_t)step;
	task->started_at = after(begin);
	task->ended_at = after(end);
	task->status = end < 0 ? "running" : "succeeded";
	return task;
}

Signal__Run *made_run(struct made *made, const char *id, double begin, double end)
{
	Signal__Run *run = made_add(made, "runs");

	run->run_id = (char *)(uintptr_t)id;
	run->started_at = after(begin);
	run->ended_at = after(end);
	run->status = end < 0 ? "running" : "succeeded";
	return run;
}

Signal__Sample *made_sample(struct made *made, uint32_t pid, const char *task, double since,
			    double until)
{
	Signal__Sample *sample = made_add(made, "samples");

	sample->pid = pid;
	sample->start_ns = pid * UINT64_C(1000);
	sample->image_seq = pid;
	sample->run_id = "run";
	sample->task_id = (char *)(uintptr_t)task;
	sample->since_at = after(since);
	sample->until_at = after(until);
	made_figures(&sample->figures);
	return sample;
}

void lake_store(struct lake *lake, struct made *made)
{
	struct error err = { 0 };
	bool duplicate = true;

	if (store_ingest(lake->store, &made->batch, &duplicate, &err))
		fail_msg("store_ingest: %s", error_text(&err));
	assert_false(duplicate);
	made_clear(made);
}

static enum store_type type_of(const char *query, const char *name)
{
	const struct named_query *found = named_query_find(query);

	for (const struct query_field *field = found ? found->params : NULL; field && field->name;
	     field++)
		if (!strcmp(field->name, name))
			return field->type;
	return STORE_TEXT;
}

static struct store_param param_of(const char *query, char *word)
{
	struct store_param param = { .name = word };
	char *value = strchr(word, '=');

	*value++ = '\0';
	if (*value == '@') {
		param.type = STORE_TIME;
		param.i64 = T0 + (int64_t)(strtod(value + 1, NULL) * 1e9);
	} else if (*value && type_of(query, word) == STORE_I64) {
		param.type = STORE_I64;
		param.i64 = strtoll(value, NULL, 10);
	} else if (*value) {
		param.type = STORE_TEXT;
		param.text = value;
	}
	return param;
}

static bool is_given(const struct store_param *list, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(list[i].name, name))
			return true;
	return false;
}

/* Who reads everything, in queries that ask for a reader. */
static size_t add_reader(const char *query, struct store_param *list, size_t count)
{
	const struct named_query *found = named_query_find(query);

	for (const struct query_field *field = found ? found->params : NULL; field && field->name;
	     field++)
		if (!strcmp(field->name, "reader") && !is_given(list, count, "reader"))
			list[count++] = (struct store_param){ .name = "reader" };
	return count;
}

int lake_try_query(struct lake *lake, const char *query, const char *params,
		   struct store_rows **ret, struct error *err)
{
	struct store_param list[PARAMS_MAX];
	char text[512], *rest = text, *word;
	size_t count = 0;

	snprintf(text, sizeof(text), "%s", params);
	while ((word = strsep(&rest, " "))) {
		for (char *c = word; *c; c++)
			if (*c == '~') /* a blank within a value */
				*c = ' ';
		if (*word)
			list[count++] = param_of(query, word);
	}
	count = add_reader(query, list, count);
	return store_query(lake->store, query, list, count, ret, err);
}

static void write_cell(struct buffer *out, const struct store_rows *rows, size_t column)
{
	if (store_is_null(rows, column))
		buffer_append_text(out, "-");
	else if (store_text(rows, column))
		buffer_append_text(out, store_text(rows, column));
	else if (store_column_type(rows, column) == STORE_DOUBLE)
		buffer_printf(out, "%g", store_double(rows, column));
	else if (store_column_type(rows, column) == STORE_TIME)
		buffer_printf(out, "@%g", (double)(store_i64(rows, column) - T0) / 1e9);
	else
		buffer_printf(out, "%" PRId64, store_i64(rows, column));
}

static void write_row(struct buffer *out, const struct store_rows *rows, const char *columns)
{
	char text[4096], *rest = text, *word;

	snprintf(text, sizeof(text), "%s", columns);
	while ((word = strsep(&rest, " "))) {
		int column = store_column(rows, word);

		if (column < 0)
			fail_msg("the query has no column '%s'", word);
		write_cell(out, rows, (size_t)column);
		buffer_append_char(out, rest ? ' ' : '\n');
	}
}

static struct store_rows *ask(struct lake *lake, const char *query, const char *params)
{
	struct store_rows *rows = NULL;
	struct error err = { 0 };

	if (lake_try_query(lake, query, params, &rows, &err))
		fail_msg("%s: %s", query, error_text(&err));
	if (answer.data)
		buffer_clear(&answer);
	buffer_init(&answer, 0);
	return rows;
}

const char *lake_query(struct lake *lake, const char *query, const char *params,
		       const char *columns)
{
	struct store_rows *rows = ask(lake, query, params);

	while (store_next(rows))
		write_row(&answer, rows, columns);
	store_rows_free(rows);
	return answer.data;
}

const char *lake_query_json(struct lake *lake, const char *query, const char *params)
{
	struct store_rows *rows = ask(lake, query, params);
	struct json json;

	assert_true(store_next(rows));
	json_init(&json, &answer, false);
	row_json(rows, &json);
	store_rows_free(rows);
	return answer.data;
}
