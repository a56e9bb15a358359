/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/clock.h"
#include "fixture_batch.h"
#include "fixture_token.h"

/*
 * The example's run, and one of the same pipeline 1000 s before it: its tasks ended 20 s earlier,
 * and so did it; its step "call" was called "variants", and it had no step "align" but "map", with
 * other tools.
 */
#define EARLIER "1e9f2c1a-0000-4000-8000-000000000002"
#define BEFORE  (1000 * NS_PER_S)
#define SHORTER (20 * NS_PER_S)
#define DIFF    "/api/v1/runs/" EXAMPLE_RUN "/diff"

static struct lake lake;
static char by_user[TOKEN_SECRET_SIZE];

static char *literal(const char *text)
{
	return (char *)(uintptr_t)text;
}

static void move(int64_t *at, int64_t by)
{
	if (*at)
		*at += by;
}

static void make_earlier(struct example *example)
{
	static char ids[EXAMPLE_TASKS][32];

	example_make(example, 1);
	example->run.run_id = literal(EARLIER);
	example->run.name = literal("earlier");
	example->run.user = literal("ada");
	move(&example->run.started_at, -BEFORE);
	move(&example->run.ended_at, -BEFORE - SHORTER);
	for (size_t i = 0; i < EXAMPLE_TASKS; i++) {
		Signal__Task *task = &example->tasks[i];

		(void)snprintf(ids[i], sizeof(ids[i]), "earlier-%zu", i);
		task->run_id = literal(EARLIER);
		task->task_id = ids[i];
		move(&task->started_at, -BEFORE);
		move(&task->ended_at, -BEFORE - SHORTER);
		if (strcmp(task->step, "align") == 0)
			task->step = literal("map");
	}
	for (size_t i = 0; i < EXAMPLE_EXECUTIONS; i++) {
		Signal__Execution *execution = &example->executions[i];

		execution->run_id = literal(EARLIER);
		execution->task_id = literal("");
		execution->pid += 1000;
		move(&execution->started_at, -BEFORE);
		move(&execution->ended_at, -BEFORE - SHORTER);
	}
	example->batch.n_samples = example->batch.n_events = example->batch.n_losses = 0;
	example->batch.n_networks = example->batch.n_io_latencies = 0;
	example->batch.n_host_samples = 0;
}

static int start(void **state)
{
	struct example example;

	make_earlier(&example);
	if (example_serve(&lake, &example))
		return -1;
	example_make(&example, 2);
	example.run.user = literal("bob");
	if (example_post(&lake, &example, NULL) != 200)
		return -1;
	TOKEN_MAKE(&lake, by_user, NULL, "--scope", "read", "--user", "bob");
	return 0;
}

static int stop(void **state)
{
	return lake_end(&lake);
}

static const char *text(const json_t *row, const char *key)
{
	const char *value = json_string_value(json_object_get(row, key));

	return value ? value : "-";
}

static long long whole(const json_t *row, const char *key)
{
	return json_integer_value(json_object_get(row, key));
}

static void parts_add_up_to_the_difference(void **state)
{
	json_t *diff = lake_get(&lake, DIFF "?with=earlier", 200), *row;
	long long sum = 0, steps = 0;
	size_t i;

	json_array_foreach(json_object_get(diff, "parts"), i, row) sum +=
		whole(row, "difference_ns");
	json_array_foreach(json_object_get(diff, "steps"), i, row) steps +=
		whole(row, "difference_ns");
	assert_int_equal(whole(diff, "difference_ns"), SHORTER);
	assert_int_equal(sum, SHORTER);
	assert_int_equal(steps + whole(json_object_get(diff, "engine"), "difference_ns"), SHORTER);
	json_decref(diff);
}

static const json_t *step_of(const json_t *diff, const char *name)
{
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(diff, "steps"), i, row)
	{
		if (strcmp(text(row, "name"), name) == 0)
			return row;
	}
	fail_msg("no step %s", name);
	return NULL;
}

static void steps_are_new_gone_or_in_both(void **state)
{
	json_t *diff = lake_get(&lake, DIFF "?with=" EARLIER, 200);

	assert_string_equal(text(json_object_get(diff, "from"), "id"), EARLIER);
	assert_string_equal(text(json_object_get(diff, "to"), "id"), EXAMPLE_RUN);
	assert_string_equal(text(step_of(diff, "align"), "state"), "new");
	assert_string_equal(text(step_of(diff, "map"), "state"), "removed");
	assert_string_equal(text(step_of(diff, "call"), "state"), "both");
	assert_int_equal(whole(step_of(diff, "call"), "from_failed"), 1);
	json_decref(diff);
}

static void without_another_it_is_compared_with_the_one_before(void **state)
{
	json_t *diff = lake_get(&lake, DIFF, 200);

	assert_string_equal(text(json_object_get(diff, "from"), "id"), EARLIER);
	json_decref(diff);
	json_decref(lake_get(&lake, "/api/v1/runs/" EARLIER "/diff", 404));
}

static void a_run_is_not_compared_with_itself_or_with_none(void **state)
{
	json_decref(lake_get(&lake, DIFF "?with=" EXAMPLE_RUN, 400));
	json_decref(lake_get(&lake, DIFF "?with=nope", 404));
	json_decref(lake_get(&lake, "/api/v1/runs/nope/diff?with=" EXAMPLE_RUN, 404));
}

static void both_runs_must_be_readable(void **state)
{
	assert_int_equal(token_get(&lake, by_user, "/api/v1/runs/" EXAMPLE_RUN), 200);
	assert_int_equal(token_get(&lake, by_user, DIFF "?with=" EARLIER), 404);
	assert_int_equal(token_get(&lake, by_user, DIFF), 404);
	assert_int_equal(
		token_get(&lake, by_user, "/api/v1/runs/" EARLIER "/diff?with=" EXAMPLE_RUN), 404);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_add_up_to_the_difference),
		cmocka_unit_test(steps_are_new_gone_or_in_both),
		cmocka_unit_test(without_another_it_is_compared_with_the_one_before),
		cmocka_unit_test(a_run_is_not_compared_with_itself_or_with_none),
		cmocka_unit_test(both_runs_must_be_readable),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
