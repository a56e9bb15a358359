/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "fixture_batch.h"
#include "lake/duckdb/duckdb_engine.h"
#include "lake/store/batch_writer.h"
#include "lake/store/join/merged_runs.h"
#include "server/http/route.h"

/*
 * A store that an earlier version filled, which believed all that came: beside the example's host
 * and run it holds impossible figures. It is written below the boundary, into the engine.
 */
#define BAD_HOST   "host-bad"
#define BAD_RUNS   5
#define TEXT_LEN   (300u << 10) /* beyond every bound */
#define NAME_LEN   (15u << 20)
#define ANSWER_MAX (1u << 20)
#define YEAR_NS    (365 * 86400 * NS_PER_S)

static struct lake lake;

static char *long_text(size_t len)
{
	char *text = malloc(len + 1);

	assert_non_null(text);
	memset(text, 'x', len);
	text[len] = '\0';
	return text;
}

static void with_engine(void (*act)(void *engine))
{
	struct store_options options = { 0 };
	char folder[96], path[128];
	struct error err = { "" };
	void *engine = NULL;

	snprintf(folder, sizeof(folder), "%s/lake", lake.folder);
	snprintf(path, sizeof(path), "%s/tracer.duckdb", folder);
	assert_int_equal(file_make_folder(folder, 0700, &err), 0);
	options.path = path;
	if (duckdb_operations.open(&engine, &options, &err))
		fail_msg("open: %s", error_text(&err));
	act(engine);
	duckdb_operations.close(engine);
}

/* What a store of version 1 goes through when it is opened (duckdb_migrate.c). */
static void shorten(void *engine)
{
	duckdb_connection connection;

	assert_int_equal(duckdb_connect(((struct duckdb_engine *)engine)->database, &connection),
			 DuckDBSuccess);
	assert_int_equal(duckdb_shorten(connection, NULL), 0);
	duckdb_disconnect(&connection);
}

static void write_batch(void *engine, const Signal__Batch *batch)
{
	struct batch_writer writer = { .operations = &duckdb_operations, .engine = engine };
	struct batch_item item = { .batch = batch };

	if (batch_writer_store(&writer, &item, 1) || item.rc)
		fail_msg("write: %s", error_text(&item.err));
	assert_false(item.duplicate);
	batch_writer_forget(&writer);
}

static void write_good(void *engine)
{
	struct example example;

	example_make(&example, 1);
	write_batch(engine, &example.batch);
}

/* Texts of all fields but ids, which hold records together. */
static void lengthen(ProtobufCMessage *record, char *text)
{
	for (unsigned i = 0; i < record->descriptor->n_fields; i++) {
		const ProtobufCFieldDescriptor *field = &record->descriptor->fields[i];

		if (field->type == PROTOBUF_C_TYPE_STRING &&
		    field->label != PROTOBUF_C_LABEL_REPEATED &&
		    !text_ends_with(field->name, "_id"))
			*(char **)(void *)((char *)record + field->offset) = text;
	}
}

/* The example's records of a kind, with texts that are too long. */
#define LENGTHEN(batch, list, text)                               \
	do {                                                      \
		for (size_t i_ = 0; i_ < (batch)->n_##list; i_++) \
			lengthen(&(batch)->list[i_]->base, text); \
	} while (0)

static void spoil_texts(Signal__Batch *batch, char *text)
{
	LENGTHEN(batch, hosts, text);
	LENGTHEN(batch, tasks, text);
	LENGTHEN(batch, executions, text);
	LENGTHEN(batch, events, text);
	LENGTHEN(batch, losses, text);
	LENGTHEN(batch, networks, text);
	LENGTHEN(batch, io_latencies, text);
}

static void spoil_figures(struct example *example, char *run_id)
{
	int64_t now = clock_real_ns();

	example->host.price_usd_hour = 10001;
	example->host.cpus = 4000000000;
	for (int i = 0; i < EXAMPLE_TASKS; i++) {
		example->tasks[i].run_id = run_id;
		example->tasks[i].step = "bad step";
		example->tasks[i].status = "failed";
	}
	for (int i = 0; i < EXAMPLE_EXECUTIONS; i++) {
		example->executions[i].run_id = run_id;
		example->executions[i].task_id = i ? "bad-0-0" : "";
		example->executions[i].status = "failed";
		example->executions[i].started_at = 1;
		example->executions[i].figures->user_ns = UINT64_C(13343) * 86400 * NS_PER_S;
	}
	for (int i = 0; i < EXAMPLE_SAMPLES; i++) {
		example->samples[i].run_id = run_id;
		example->samples[i].task_id = "bad-0-0";
		example->samples[i].since_at = 1;
		example->samples[i].until_at = now;
	}
	for (int i = 0; i < 2; i++) {
		example->networks[i].run_id = run_id;
		example->networks[i].task_id = "bad-0-0";
		example->host_samples[i].since_at = now - 20 * YEAR_NS;
		example->host_samples[i].until_at = now;
		example->host_samples[i].cpu_user_ns = UINT64_MAX;
	}
	example->io.run_id = example->event.run_id = run_id;
	example->io.task_id = example->event.task_id = "bad-0-0";
}

/* One run with everything, and others that are but a name each. */
static void write_bad(void *engine)
{
	char *text = long_text(TEXT_LEN), *name = long_text(NAME_LEN);

	for (int i = 0; i < BAD_RUNS; i++) {
		char run_id[16], task_ids[EXAMPLE_TASKS][16];
		struct example example;

		snprintf(run_id, sizeof(run_id), "bad-%d", i);
		example_make(&example, 1 + (uint64_t)i);
		for (int k = 0; k < EXAMPLE_TASKS; k++) {
			snprintf(task_ids[k], sizeof(task_ids[k]), "bad-%d-%d", i, k);
			example.tasks[k].task_id = task_ids[k];
		}
		example.batch.agent_id = "agent-bad";
		example.batch.host_id = BAD_HOST;
		spoil_figures(&example, run_id);
		if (i == 0)
			spoil_texts(&example.batch, text);
		else
			example.batch.n_executions = example.batch.n_samples =
				example.batch.n_hosts = 0;
		example.run.run_id = run_id;
		example.run.name = name;
		example.run.pipeline = "bad pipeline";
		example.run.user = "bad user";
		example.run.engine = "bad engine";
		example.run.started_at = i == 0 ? 1 : example.run.started_at;
		write_batch(engine, &example.batch);
	}
	shorten(engine);
	free(text);
	free(name);
}

static size_t body_of(const char *path, json_t **ret)
{
	struct answer answer;
	size_t len;

	lake_ask(&lake, "GET", path, lake.read, NULL, NULL, 0, &answer);
	if (answer.status != 200)
		fail_msg("GET %s: %d: %.500s", path, answer.status, answer.body.data);
	len = answer.body.len;
	*ret = json_loadb(answer.body.data, len, 0, NULL);
	answer_clear(&answer);
	return len;
}

/* The path of a route for a run and a host; false: it asks for neither, or is no page of figures.
 * other: a run to compare it with; NULL: there is none. */
static bool path_of(const struct route *route, const char *run, const char *other, const char *host,
		    char path[256])
{
	const char *open = strchr(route->pattern, '{');
	bool compares = strstr(route->pattern, "/diff") != NULL;

	if (strcmp(route->method, "GET") != 0 || route->scope != SCOPE_READ || route->no_head ||
	    !open || strncmp(open, "{bill}", 6) == 0 || (compares && !other))
		return false;
	snprintf(path, 256, "%.*s%s%s%s%s", (int)(open - route->pattern), route->pattern,
		 strncmp(open, "{run}", 5) == 0 ? run : host, strchr(open, '}') + 1,
		 compares ? "?with=" : "", compares ? other : "");
	return true;
}

/* Lists over all runs and hosts. */
static const char *const LISTS[] = {
	"/api/v1/runs?limit=10000",
	"/api/v1/hosts",
	"/api/v1/waste?days=3650",
	"/api/v1/cost?by=run",
	"/api/v1/cost?by=step",
	"/api/v1/cost?by=tool",
	"/api/v1/cost?by=pipeline&days=3650",
};
#define LISTS_COUNT (sizeof(LISTS) / sizeof(LISTS[0]))
#define ROUTES_MAX  64

static json_t *lists_before[LISTS_COUNT], *pages_before[ROUTES_MAX];

static void ask_before(void)
{
	char path[256];

	for (size_t i = 0; i < LISTS_COUNT; i++)
		body_of(LISTS[i], &lists_before[i]);
	for (size_t i = 0; i < ROUTES_COUNT; i++)
		if (path_of(&ROUTES[i], EXAMPLE_RUN, NULL, EXAMPLE_HOST, path))
			body_of(path, &pages_before[i]);
}

static int setup(void **state)
{
	lake_make(&lake);
	with_engine(write_good);
	lake_start(&lake, NULL);
	ask_before();
	assert_int_equal(lake_stop(&lake), 0);
	with_engine(write_bad);
	lake_start(&lake, NULL);
	return 0;
}

static int teardown(void **state)
{
	for (size_t i = 0; i < LISTS_COUNT; i++)
		json_decref(lists_before[i]);
	for (size_t i = 0; i < ROUTES_COUNT; i++)
		json_decref(pages_before[i]);
	return lake_end(&lake);
}

/* Whether a host reported a minute ago is another question a minute later. */
static void drop_status(json_t *json)
{
	if (json_object_get(json, "agent_version"))
		json_object_del(json, "status");
}

static bool has_row(const json_t *rows, const json_t *wanted)
{
	const json_t *row;
	size_t i;

	json_array_foreach(rows, i, row)
	{
		drop_status((json_t *)row);
		if (json_equal(row, wanted))
			return true;
	}
	return false;
}

static void rows_are_there(const char *path, json_t *before, const json_t *after)
{
	const char *key;
	json_t *rows, *row;
	size_t i;

	json_object_foreach(before, key, rows)
	{
		json_array_foreach(rows, i, row)
		{
			drop_status(row);
			if (!has_row(json_object_get(after, key), row))
				fail_msg("GET %s lacks %.500s", path, json_dumps(row, 0));
		}
	}
}

static void lists_hold_what_they_held_and_are_short(void **state)
{
	for (size_t i = 0; i < LISTS_COUNT; i++) {
		json_t *after;
		size_t len = body_of(LISTS[i], &after);

		if (len > ANSWER_MAX)
			fail_msg("GET %s: %zu bytes", LISTS[i], len);
		rows_are_there(LISTS[i], lists_before[i], after);
		json_decref(after);
	}
}

/* Both from a little before they differ. */
static void expect_same(const char *path, const json_t *after, const json_t *before)
{
	char *is = json_dumps(after, JSON_SORT_KEYS), *was = json_dumps(before, JSON_SORT_KEYS);
	size_t same = 0;

	while (is[same] && is[same] == was[same])
		same++;
	if (is[same] != was[same])
		fail_msg("GET %s: %.300s\nand not: %.300s", path,
			 is + (same < 100 ? 0 : same - 100), was + (same < 100 ? 0 : same - 100));
	free(is);
	free(was);
}

static void pages_about_another_run_and_host_say_what_they_said(void **state)
{
	char path[256];

	for (size_t i = 0; i < ROUTES_COUNT; i++) {
		json_t *after;

		if (!path_of(&ROUTES[i], EXAMPLE_RUN, NULL, EXAMPLE_HOST, path))
			continue;
		body_of(path, &after);
		drop_status(pages_before[i]);
		drop_status(after);
		expect_same(path, after, pages_before[i]);
		json_decref(after);
	}
}

static void pages_about_the_bad_ones_come_and_are_short(void **state)
{
	char path[256];

	for (size_t i = 0; i < ROUTES_COUNT; i++) {
		json_t *json;
		size_t len;

		if (!path_of(&ROUTES[i], "bad-0", "bad-1", BAD_HOST, path))
			continue;
		len = body_of(path, &json);
		json_decref(json);
		if (len > ANSWER_MAX)
			fail_msg("GET %s: %zu bytes", path, len);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_hold_what_they_held_and_are_short),
		cmocka_unit_test(pages_about_another_run_and_host_say_what_they_said),
		cmocka_unit_test(pages_about_the_bad_ones_come_and_are_short),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
