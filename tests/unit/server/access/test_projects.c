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
#include "fixture_batch.h"
#include "fixture_token.h"
#include "server/http/route.h"
#include "signal/batch.h"
#include "signal/recording.h"

/*
 * A read token for the runs of some labels or users, on every route. On one host, at one time,
 * there are a run that it may read and a run of another user, in which all texts have FOREIGN. The
 * foreign run is the parent of the other one.
 */
#define FOREIGN     "zzforeign"
#define FOREIGN_RUN "zzforeign-0000-4000-8000-000000000009"

static struct lake lake;
static char by_label[TOKEN_SECRET_SIZE], by_user[TOKEN_SECRET_SIZE];

static char *literal(const char *text)
{
	return (char *)(uintptr_t)text;
}

static void make_foreign(struct example *example)
{
	example_make(example, 1);
	example->run.run_id = literal(FOREIGN_RUN);
	example->run.name = literal(FOREIGN "-name");
	example->run.pipeline = literal(FOREIGN "-pipeline");
	example->run.user = literal(FOREIGN "-user");
	example->run.cwd = literal("/home/" FOREIGN);
	example->run.command = literal("snakemake --config " FOREIGN);
	example->label.key = literal("project");
	example->label.value = literal(FOREIGN);
	for (size_t i = 0; i < EXAMPLE_TASKS; i++) {
		example->tasks[i].run_id = literal(FOREIGN_RUN);
		example->tasks[i].task_id = literal(i ? FOREIGN "-task" : FOREIGN "-other-task");
		example->tasks[i].step = literal(FOREIGN "-step");
		example->tasks[i].name = literal(FOREIGN "-task-name");
	}
	for (size_t i = 0; i < EXAMPLE_EXECUTIONS; i++) {
		Signal__Execution *execution = &example->executions[i];

		execution->run_id = literal(FOREIGN_RUN);
		execution->task_id = literal(FOREIGN "-task");
		execution->pid += 1000;
		execution->tool = literal(FOREIGN "-tool");
		execution->cwd = literal("/home/" FOREIGN);
	}
	for (size_t i = 0; i < EXAMPLE_SAMPLES; i++) {
		example->samples[i].run_id = literal(FOREIGN_RUN);
		example->samples[i].task_id = literal(FOREIGN "-task");
		example->samples[i].pid += 1000;
	}
	for (size_t i = 0; i < 2; i++)
		example->networks[i].run_id = literal(FOREIGN_RUN);
	example->io.run_id = literal(FOREIGN_RUN);
	example->event.run_id = literal(FOREIGN_RUN);
	example->event.summary = literal(FOREIGN " failed");
}

static int start(void **state)
{
	struct example example;

	make_foreign(&example);
	if (example_serve(&lake, &example))
		return -1;
	example_make(&example, 2);
	example.run.parent_run_id = literal(FOREIGN_RUN);
	example.run.user = literal("ada");
	example.label.key = literal("project");
	example.label.value = literal("x");
	if (example_post(&lake, &example, NULL) != 200)
		return -1;
	TOKEN_MAKE(&lake, by_label, NULL, "--scope", "read", "--label", "project=x");
	TOKEN_MAKE(&lake, by_user, NULL, "--scope", "read", "--user", "nobody", "--user", "ada");
	return 0;
}

static int stop(void **state)
{
	return lake_end(&lake);
}

/* The pattern with `run` in its open segment. */
static void path_of(const struct route *route, const char *run, char path[160])
{
	const char *open = strchr(route->pattern, '{');

	snprintf(path, 160, "%s", route->pattern);
	if (open)
		snprintf(path + (open - route->pattern), 160 - (size_t)(open - route->pattern),
			 "%s%s", run, strchr(open, '}') + 1);
}

static void expect(const char *token, const struct route *route, const char *run, int status)
{
	struct answer answer;
	char path[160];

	path_of(route, run, path);
	lake_ask(&lake, route->method, path, token, NULL, NULL, 0, &answer);
	if (answer.status != status)
		fail_msg("%s %s: %d, expected %d: %s", route->method, path, answer.status, status,
			 answer.body.data);
	if (memmem(answer.body.data, answer.body.len, FOREIGN, strlen(FOREIGN)))
		fail_msg("%s shows a foreign run: %s", path, answer.body.data);
	answer_clear(&answer);
}

/* All routes answer, but there is no run that may be read with which to compare the only one. */
static int status_of(const struct route *route)
{
	if (strstr(route->pattern, "/diff"))
		return 404;
	if (route->scope == SCOPE_NONE)
		return strcmp(route->pattern, "/login") == 0 ? 403 : 200;
	return route->of_runs ? 200 : 403;
}

static void walk(const char *token)
{
	for (size_t i = 0; i < ROUTES_COUNT; i++) {
		const struct route *route = &ROUTES[i];
		bool below_run = strstr(route->pattern, "/runs/{run}") != NULL;

		if (strcmp(route->method, "GET") != 0 && route->scope == SCOPE_NONE)
			continue; /* logout */
		expect(token, route, EXAMPLE_RUN, status_of(route));
		if (!below_run)
			continue;
		/* The beginning of all that the foreign run is called; what is asked for is echoed.
		 */
		expect(token, route, "zzforeig", 404);
	}
}

static void no_route_shows_a_run_that_a_token_may_not_read(void **state)
{
	walk(by_label);
}

/* The first route of a pattern. */
static const struct route *route_of(const char *pattern)
{
	for (size_t i = 0; i < ROUTES_COUNT; i++)
		if (strcmp(ROUTES[i].pattern, pattern) == 0)
			return &ROUTES[i];
	fail_msg("no route %s", pattern);
	return NULL;
}

static void a_name_means_one_of_the_runs_that_may_be_read(void **state)
{
	const struct route *run = route_of("/api/v1/runs/{run}");

	expect(by_user, route_of("/api/v1/runs"), "", 200);
	expect(by_user, run, "latest", 200);
	expect(by_user, run, "demo", 200);
	expect(by_label, run, "latest", 200);
}

static void the_cost_is_that_of_the_runs_that_may_be_read(void **state)
{
	static const char *const KEYS[] = { "pipeline", "run", "step", "tool", "user", "instance" };

	for (size_t i = 0; i < sizeof(KEYS) / sizeof(KEYS[0]); i++) {
		struct answer answer;
		char path[64];
		json_t *body;

		snprintf(path, sizeof(path), "/api/v1/cost?by=%s", KEYS[i]);
		lake_ask(&lake, "GET", path, by_user, NULL, NULL, 0, &answer);
		assert_int_equal(answer.status, 200);
		if (strstr(answer.body.data, FOREIGN))
			fail_msg("%s shows a foreign run: %s", path, answer.body.data);
		body = json_loadb(answer.body.data, answer.body.len, 0, NULL);
		assert_true(json_array_size(json_object_get(body, "rows")) > 0);
		assert_true(json_is_null(json_object_get(body, "whole_usd")));
		json_decref(body);
		answer_clear(&answer);
	}
}

/* A recording is packed: its batches are looked at as they are. */
static void a_recording_holds_nothing_of_a_foreign_run(void **state)
{
	struct recording *recording = NULL;
	Signal__Batch *batch = NULL;
	struct answer answer;
	size_t batches = 0;

	lake_ask(&lake, "GET", "/api/v1/runs/" EXAMPLE_RUN "/recording", by_label, NULL, NULL, 0,
		 &answer);
	assert_int_equal(answer.status, 200);
	assert_int_equal(recording_open(&recording, answer.body.data, answer.body.len, NULL), 0);
	while (recording_next(recording, &batch, NULL) == 1) {
		size_t len = signal__batch__get_packed_size(batch);
		uint8_t *bytes = malloc(len);

		signal__batch__pack(batch, bytes);
		assert_null(memmem(bytes, len, FOREIGN, strlen(FOREIGN)));
		free(bytes);
		batch_free(batch);
		batches++;
	}
	assert_true(batches > 0);
	recording_close(recording);
	answer_clear(&answer);
}

static void a_foreign_run_does_not_exist_by_its_id_either(void **state)
{
	assert_int_equal(token_get(&lake, by_user, "/api/v1/runs/" FOREIGN_RUN), 404);
	assert_int_equal(token_get(&lake, by_user, "/api/v1/runs/" FOREIGN "-name/tasks"), 404);
	assert_int_equal(token_get(&lake, lake.read, "/api/v1/runs/" FOREIGN_RUN), 200);
}

static void its_own_runs_are_what_everybody_sees(void **state)
{
	struct answer all, own;

	lake_ask(&lake, "GET", "/api/v1/runs/" EXAMPLE_RUN "/processes", lake.read, NULL, NULL, 0,
		 &all);
	lake_ask(&lake, "GET", "/api/v1/runs/" EXAMPLE_RUN "/processes", by_user, NULL, NULL, 0,
		 &own);
	assert_string_equal(all.body.data, own.body.data);
	answer_clear(&all);
	answer_clear(&own);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_route_shows_a_run_that_a_token_may_not_read),
		cmocka_unit_test(a_name_means_one_of_the_runs_that_may_be_read),
		cmocka_unit_test(the_cost_is_that_of_the_runs_that_may_be_read),
		cmocka_unit_test(a_recording_holds_nothing_of_a_foreign_run),
		cmocka_unit_test(a_foreign_run_does_not_exist_by_its_id_either),
		cmocka_unit_test(its_own_runs_are_what_everybody_sees),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
