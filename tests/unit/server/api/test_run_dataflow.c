/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/clock.h"
#include "fixture_batch.h"
#include "server/query/dataflow.h"

/* The example's three tasks, one after the other: a wrote what b read, and b what c read. */
#define PATH   "/api/v1/runs/latest/dataflow"
#define USES   5
#define A      1 /* among the example's executions */
#define B      3
#define C      5
#define A_LAST 2 /* of two processes of a that end at once, the one that is waited for */
#define B_LAST 4
#define CLOSE  1e-6

static struct lake lake;

static void put_files(struct example *example)
{
	static const struct {
		int process, file, at_s;
		bool writes;
	} uses[USES] = { { A, 1000, 200, true },
			 { B, 1000, 300, false },
			 { B, 2000, 400, true },
			 { C, 1000, 500, false },
			 { C, 2000, 500, false } };
	static Signal__File files[USES], *list[USES];

	for (int i = 0; i < USES; i++) {
		const Signal__Execution *execution = &example->executions[uses[i].process];
		Signal__File *file = list[i] = &files[i];

		signal__file__init(file);
		file->pid = execution->pid;
		file->start_ns = execution->start_ns;
		file->image_seq = execution->image_seq;
		file->run_id = execution->run_id;
		file->task_id = execution->task_id;
		file->file_id = (uint64_t)uses[i].file;
		file->kind = "file";
		file->opens = 1;
		file->moved_bytes = file->size_bytes = 300;
		file->reads = !uses[i].writes;
		file->writes = uses[i].writes;
		file->first_at = file->last_at = example->began_at + uses[i].at_s * NS_PER_S;
	}
	example->batch.files = list;
	example->batch.n_files = USES;
}

static const char *text(const json_t *row, const char *key)
{
	const char *value = json_string_value(json_object_get(row, key));

	return value ? value : "-";
}

static double number(const json_t *row, const char *key)
{
	return json_number_value(json_object_get(row, key));
}

static void edges_say_who_fed_whom_the_last_first(void **state)
{
	static const char *const pairs[] = { "task-b task-c", "task-a task-c", "task-a task-b" };
	json_t *answer = lake_get(&lake, PATH, 200), *row;
	size_t i;

	assert_int_equal(json_array_size(json_object_get(answer, "edges")), 3);
	json_array_foreach(json_object_get(answer, "edges"), i, row)
	{
		char pair[64];

		snprintf(pair, sizeof(pair), "%s %s", text(row, "from"), text(row, "to"));
		if (i == 0)
			assert_string_equal(pair, pairs[0]);
		else /* closed at the same instant */
			assert_true(strcmp(pair, pairs[1]) == 0 || strcmp(pair, pairs[2]) == 0);
		assert_int_equal(number(row, "files"), 1);
		assert_int_equal(number(row, "size_bytes"), 300);
		assert_true(json_is_null(json_object_get(row, "path")));
	}
	assert_int_equal(number(answer, "edges_known"), 3);
	assert_true(json_is_true(json_object_get(answer, "complete")));
	json_decref(answer);
}

static void a_task_is_ready_when_its_last_input_is_closed(void **state)
{
	static const int fed_by[] = { 0, 1, 2 }, feeds[] = { 2, 1, 0 };
	json_t *answer = lake_get(&lake, PATH, 200), *row;
	size_t i;

	assert_int_equal(json_array_size(json_object_get(answer, "tasks")), 3);
	json_array_foreach(json_object_get(answer, "tasks"), i, row)
	{
		assert_int_equal(number(row, "fed_by"), fed_by[i]);
		assert_int_equal(number(row, "feeds"), feeds[i]);
		assert_int_equal(json_is_null(json_object_get(row, "ready_at")), i == 0);
		assert_int_equal(json_is_null(json_object_get(row, "queue_s")), i == 0);
		if (i > 0)
			assert_float_equal(number(row, "queue_s"), 10, CLOSE);
	}
	json_decref(answer);
}

static void the_critical_path_and_what_is_beside_it_are_the_whole(void **state)
{
	static const double running_s[] = { 190, 190, 180 };
	json_t *answer = lake_get(&lake, PATH, 200), *row;
	const json_t *path = json_object_get(answer, "critical_path");
	double sum = number(path, "before_s") + number(path, "after_s");
	size_t i;

	assert_float_equal(number(path, "wall_s"), EXAMPLE_WALL_S, CLOSE);
	assert_float_equal(number(path, "before_s"), 10, CLOSE);
	assert_float_equal(number(path, "after_s"), 10, CLOSE);
	assert_int_equal(json_array_size(json_object_get(path, "links")), 3);
	json_array_foreach(json_object_get(path, "links"), i, row)
	{
		assert_int_equal(text(row, "task_id")[5], 'a' + (int)i);
		assert_float_equal(number(row, "running_s"), running_s[i], CLOSE);
		assert_float_equal(number(row, "waiting_s"), i == 0 ? 0 : 10, CLOSE);
		sum += number(row, "running_s") + number(row, "waiting_s");
	}
	assert_float_equal(sum, EXAMPLE_WALL_S, CLOSE);
	assert_float_equal(number(path, "running_s"), 560, CLOSE);
	assert_float_equal(number(path, "waiting_s"), 20, CLOSE);
	json_decref(answer);
}

/* In seconds; wall_serial_ns and wall_assumed_ns are parts of others. */
static double classes_of(const json_t *figures)
{
	double sum = 0;
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)figures, key, value)
	{
		if (strncmp(key, "wall_", 5) == 0 && strstr(key, "_ns") &&
		    strcmp(key, "wall_serial_ns") != 0 && strcmp(key, "wall_assumed_ns") != 0)
			sum += json_number_value(value) / 1e9;
	}
	return sum;
}

/* Each ran 10 s longer than the path needed it. What a did when is assumed; of c nothing is known.
 */
static void the_running_time_of_the_path_is_in_classes(void **state)
{
	json_t *answer = lake_get(&lake, PATH, 200), *row;
	const json_t *path = json_object_get(answer, "critical_path");
	size_t i;

	json_array_foreach(json_object_get(path, "links"), i, row)
	{
		assert_float_equal(classes_of(row), number(row, "running_s"), CLOSE);
		if (i == 2)
			assert_float_equal(number(row, "wall_unknown_ns") / 1e9,
					   number(row, "running_s"), CLOSE);
	}
	row = json_array_get(json_object_get(path, "links"), 0);
	assert_float_equal(number(row, "wall_computing_ns") / 1e9, 95, CLOSE);
	assert_float_equal(number(row, "wall_disk_ns") / 1e9, 95, CLOSE);
	assert_float_equal(number(row, "wall_assumed_ns") / 1e9, 95, CLOSE);
	row = json_array_get(json_object_get(path, "links"), 1);
	assert_float_equal(number(row, "wall_network_ns") / 1e9, 190, CLOSE);
	assert_float_equal(number(row, "wall_assumed_ns"), 0, CLOSE);
	assert_float_equal(classes_of(path), number(path, "running_s"), CLOSE);
	assert_float_equal(number(path, "wall_assumed_ns") / 1e9, 95, CLOSE);
	json_decref(answer);
}

static void the_limit_cuts_the_list_of_edges_and_nothing_else(void **state)
{
	json_t *answer = lake_get(&lake, PATH "?limit=1", 200);

	assert_int_equal(json_array_size(json_object_get(answer, "edges")), 1);
	assert_int_equal(number(answer, "edges_known"), 3);
	assert_int_equal(
		json_array_size(json_object_get(json_object_get(answer, "critical_path"), "links")),
		3);
	json_decref(answer);
	json_decref(lake_get(&lake, "/api/v1/runs/nobody/dataflow", 404));
	json_decref(lake_get(&lake, PATH "?limit=0", 400));
}

static void a_run_without_tasks_has_no_path(void **state)
{
	static struct example example;
	json_t *answer;

	example_run_only(&example, 2, "run-2", "empty");
	assert_int_equal(example_post(&lake, &example, NULL), 200);
	answer = lake_get(&lake, "/api/v1/runs/empty/dataflow", 200);
	assert_true(json_is_null(json_object_get(answer, "critical_path")));
	assert_int_equal(json_array_size(json_object_get(answer, "tasks")), 0);
	json_decref(answer);
}

#define SIDE 320 /* tasks that write a file each, and as many that read them all */

static Signal__File *crowd_file(struct example *example, size_t task, size_t file)
{
	Signal__File *one = malloc(sizeof(*one));

	assert_non_null(one);
	signal__file__init(one);
	one->pid = 1 + (uint32_t)task;
	one->run_id = example->run.run_id;
	one->task_id = example->batch.tasks[task]->task_id;
	one->file_id = 1000 + file;
	one->kind = "file";
	one->opens = 1;
	one->reads = task >= SIDE;
	one->writes = task < SIDE;
	one->first_at = one->last_at = example->began_at + (one->writes ? 100 : 200) * NS_PER_S;
	return one;
}

static void make_crowd(struct example *example)
{
	static Signal__Task tasks[2 * SIDE], *list[2 * SIDE];
	static Signal__File *files[SIDE + SIDE * SIDE];
	static char ids[2 * SIDE][16];

	for (size_t i = 0; i < 2 * SIDE; i++) {
		signal__task__init(list[i] = &tasks[i]);
		snprintf(ids[i], sizeof(ids[i]), "crowd-%zu", i);
		tasks[i].task_id = ids[i];
		tasks[i].run_id = example->run.run_id;
		tasks[i].started_at = tasks[i].ended_at = example->began_at + 300 * NS_PER_S;
	}
	example->batch.tasks = list;
	example->batch.n_tasks = 2 * SIDE;
	for (size_t i = 0; i < SIDE; i++)
		files[example->batch.n_files++] = crowd_file(example, i, i);
	for (size_t i = 0; i < SIDE * SIDE; i++)
		files[example->batch.n_files++] = crowd_file(example, SIDE + i / SIDE, i % SIDE);
	example->batch.files = files;
}

static void of_more_edges_than_are_looked_at_the_answer_says_so(void **state)
{
	static struct example example;
	json_t *answer;

	example_run_only(&example, 3, "run-3", "crowd");
	make_crowd(&example);
	assert_int_equal(example_post(&lake, &example, NULL), 200);
	for (size_t i = 0; i < example.batch.n_files; i++)
		free(example.batch.files[i]);
	answer = lake_get(&lake, "/api/v1/runs/crowd/dataflow", 200);
	assert_true(json_is_false(json_object_get(answer, "complete")));
	assert_int_equal(number(answer, "edges_known"), DATAFLOW_EDGES_MAX);
	assert_int_equal(json_array_size(json_object_get(answer, "edges")), 10000);
	assert_int_equal(json_array_size(json_object_get(answer, "tasks")), 2 * SIDE);
	json_decref(answer);
}

static int start(void **state)
{
	static struct example example;

	example_make(&example, 1);
	put_files(&example);
	example.figures[A_LAST].wall_computing_ns = 100 * NS_PER_S;
	example.figures[A_LAST].wall_disk_ns = 100 * NS_PER_S;
	example.figures[B_LAST].wall_network_ns = 200 * NS_PER_S;
	return example_serve(&lake, &example);
}

static int stop(void **state)
{
	return lake_end(&lake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edges_say_who_fed_whom_the_last_first),
		cmocka_unit_test(a_task_is_ready_when_its_last_input_is_closed),
		cmocka_unit_test(the_critical_path_and_what_is_beside_it_are_the_whole),
		cmocka_unit_test(the_running_time_of_the_path_is_in_classes),
		cmocka_unit_test(the_limit_cuts_the_list_of_edges_and_nothing_else),
		cmocka_unit_test(a_run_without_tasks_has_no_path),
		cmocka_unit_test(of_more_edges_than_are_looked_at_the_answer_says_so),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
