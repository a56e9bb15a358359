/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/clock.h"
#include "fixture_batch.h"

/* What two executions of the example's task-a did with files, as agents say it: a path, and growth.
 */
#define PATH  "/api/v1/runs/latest/files"
#define BWA   1 /* among the example's executions */
#define SORT  2
#define FILES 7

static struct lake lake;

static Signal__File *say(struct example *example, int process, uint64_t id, char *kind)
{
	static Signal__File files[FILES], *list[FILES];
	static size_t count;
	const Signal__Execution *execution = &example->executions[process];
	Signal__File *file = list[count] = &files[count];

	assert_true(count < FILES);
	signal__file__init(file);
	file->pid = execution->pid;
	file->start_ns = execution->start_ns;
	file->image_seq = execution->image_seq;
	file->run_id = execution->run_id;
	file->task_id = execution->task_id;
	file->file_id = id;
	file->kind = kind;
	file->first_at = file->last_at = example->began_at + (10 + (int64_t)count) * NS_PER_S;
	example->batch.files = list;
	example->batch.n_files = ++count;
	return file;
}

static void put_files(struct example *example)
{
	Signal__File *file;

	say(example, BWA, 1000, "file")->path = "/data/reference.fa";
	file = say(example, BWA, 1000, "file");
	file->opens = 2;
	file->moved_bytes = 300;
	file->size_bytes = 900;
	file->reads = true;
	file = say(example, BWA, 1000, "file");
	file->opens = 1;
	file->moved_bytes = 40;
	file->size_bytes = 950;
	file->mapped = true;
	say(example, SORT, 1000, "file")->path = "/data/reference.fa";
	say(example, SORT, 1000, "file")->opens = 1;
	file = say(example, SORT, 66, "failed");
	file->failures = 5;
	file->error = 2;
	say(example, SORT, 2000, "file")->path = "/data/not-told-yet";
}

static json_t *file_of(json_t *answer, size_t i)
{
	return json_array_get(json_object_get(answer, "files"), i);
}

static json_int_t number(const json_t *row, const char *key)
{
	return json_integer_value(json_object_get(row, key));
}

static void what_was_said_of_a_file_in_parts_adds_up(void **state)
{
	json_t *answer = lake_get(&lake, PATH, 200);
	const json_t *row = file_of(answer, 0);

	assert_int_equal(json_array_size(json_object_get(answer, "files")), 3);
	assert_string_equal(json_string_value(json_object_get(row, "path")), "/data/reference.fa");
	assert_string_equal(json_string_value(json_object_get(row, "tool")), "bwa mem");
	assert_string_equal(json_string_value(json_object_get(row, "task_id")), "task-a");
	assert_int_equal(number(row, "opens"), 3);
	assert_int_equal(number(row, "moved_bytes"), 340);
	assert_int_equal(number(row, "size_bytes"), 950);
	assert_true(json_is_true(json_object_get(row, "reads")));
	assert_true(json_is_true(json_object_get(row, "mapped")));
	assert_true(json_is_false(json_object_get(row, "writes")));
	assert_true(json_is_null(json_object_get(row, "error")));
	json_decref(answer);
}

static void opens_that_failed_have_no_path_and_an_error(void **state)
{
	json_t *answer = lake_get(&lake, PATH "?kind=failed", 200);
	const json_t *row = file_of(answer, 0);

	assert_int_equal(json_array_size(json_object_get(answer, "files")), 1);
	assert_true(json_is_null(json_object_get(row, "path")));
	assert_true(json_is_null(json_object_get(row, "size_bytes")));
	assert_int_equal(number(row, "failures"), 5);
	assert_int_equal(number(row, "error"), 2);
	json_decref(answer);
}

static size_t count_of(const char *path)
{
	json_t *answer = lake_get(&lake, path, 200);
	size_t count = json_array_size(json_object_get(answer, "files"));

	json_decref(answer);
	return count;
}

static void filters_and_pages(void **state)
{
	json_t *answer = lake_get(&lake, PATH "?limit=2", 200);
	const char *next;
	char path[512];

	assert_int_equal(count_of(PATH "?tool=bwa%20mem"), 1);
	assert_int_equal(count_of(PATH "?task=task-a"), 3);
	assert_int_equal(count_of(PATH "?task=task-b"), 0);
	assert_int_equal(count_of(PATH "?kind=file"), 2);
	json_decref(lake_get(&lake, PATH "?kind=tape", 400));
	assert_int_equal(json_array_size(json_object_get(answer, "files")), 2);
	next = json_string_value(json_object_get(answer, "next"));
	assert_non_null(next);
	snprintf(path, sizeof(path), PATH "?limit=2&cursor=%.*s%%20%s", (int)strcspn(next, " "),
		 next, strchr(next, ' ') + 1);
	json_decref(answer);
	answer = lake_get(&lake, path, 200);
	assert_int_equal(json_array_size(json_object_get(answer, "files")), 1);
	assert_true(json_is_null(json_object_get(answer, "next")));
	json_decref(answer);
}

static int start(void **state)
{
	static struct example example;

	example_make(&example, 1);
	put_files(&example);
	return example_serve(&lake, &example);
}

static int stop(void **state)
{
	return lake_end(&lake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_said_of_a_file_in_parts_adds_up),
		cmocka_unit_test(opens_that_failed_have_no_path_and_an_error),
		cmocka_unit_test(filters_and_pages),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
