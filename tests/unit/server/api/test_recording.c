/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <jansson.h>

#include "fixture_batch.h"
#include "signal/batch.h"
#include "signal/recording.h"

/* What the lake keeps of what agents delivered, and gives back for one run. */

#define PATH "/api/v1/runs/" EXAMPLE_RUN "/recording"

static char other_id[] = "other-run", other_name[] = "other";

static struct recording *get_recording(const struct lake *lake, struct answer *answer)
{
	struct recording *recording;
	struct error err = { "" };

	lake_ask(lake, "GET", PATH, lake->read, "", NULL, 0, answer);
	if (answer->status != 200)
		fail_msg("%d: %s", answer->status, answer->body.data);
	if (recording_open(&recording, answer->body.data, answer->body.len, &err))
		fail_msg("%s", err.text);
	return recording;
}

/* Reads to the end; the batches go to another lake, where there is one. */
static size_t read_all(struct recording *recording, const struct lake *to, size_t *ret_runs)
{
	struct error err = { "" };
	size_t count = 0;
	int r;

	for (;; count++) {
		struct example example = { 0 };
		Signal__Batch *batch;

		r = recording_next(recording, &batch, &err);
		if (r < 0)
			fail_msg("%s", err.text);
		if (r == 0)
			return count;
		for (size_t i = 0; i < batch->n_runs; i++, ++*ret_runs)
			assert_string_equal(batch->runs[i]->run_id, EXAMPLE_RUN);
		example.batch = *batch;
		if (to)
			assert_int_equal(example_post(to, &example, NULL), 200);
		batch_free(batch);
	}
}

static void post_both(const struct lake *lake)
{
	struct example example;

	example_make(&example, 1);
	assert_int_equal(example_post(lake, &example, NULL), 200);
	example_run_only(&example, 2, other_id, other_name);
	assert_int_equal(example_post(lake, &example, NULL), 200);
}

static void a_recording_gives_another_lake_the_same_run_and_no_other(void **state)
{
	struct recording *recording;
	struct lake first, second;
	struct answer answer;
	json_t *before, *after;
	size_t runs = 0;

	lake_make(&first);
	lake_start(&first, NULL);
	lake_make(&second);
	lake_start(&second, NULL);
	post_both(&first);
	recording = get_recording(&first, &answer);
	assert_string_equal(recording_head(recording)->run_id, EXAMPLE_RUN);
	assert_int_equal(recording_head(recording)->missing_batches, 0);
	assert_true(read_all(recording, &second, &runs) > 0);
	assert_int_equal(runs, 1);
	before = lake_get(&first, "/api/v1/runs/" EXAMPLE_RUN, 200);
	after = lake_get(&second, "/api/v1/runs/" EXAMPLE_RUN, 200);
	assert_true(
		json_equal(json_object_get(before, "totals"), json_object_get(after, "totals")));
	assert_true(json_equal(json_object_get(before, "steps"), json_object_get(after, "steps")));
	json_decref(before);
	json_decref(after);
	json_decref(lake_get(&second, "/api/v1/runs/other-run", 404));
	recording_close(recording);
	answer_clear(&answer);
	assert_int_equal(lake_end(&first), 0);
	assert_int_equal(lake_end(&second), 0);
}

/* Bytes behind the last entry of each segment, as a crash leaves them. */
static void tear_segments(const struct lake *lake)
{
	static const char torn[] = "Tsp1 and no more";
	char pattern[128];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/lake/batches/*.batches", lake->folder);
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		int fd = open(found.gl_pathv[i], O_WRONLY | O_APPEND | O_CLOEXEC);

		assert_int_equal(write(fd, torn, sizeof(torn)), sizeof(torn));
		close(fd);
	}
	globfree(&found);
}

static void what_was_kept_is_there_after_a_crash(void **state)
{
	struct recording *recording;
	struct example example;
	struct answer answer;
	struct lake lake;
	size_t runs = 0;

	lake_make(&lake);
	lake_start(&lake, NULL);
	post_both(&lake);
	lake_kill(&lake);
	tear_segments(&lake);
	lake_start(&lake, NULL);
	example_make(&example, 3);
	assert_int_equal(example_post(&lake, &example, NULL), 200);
	recording = get_recording(&lake, &answer);
	assert_int_equal(recording_head(recording)->missing_batches, 0);
	read_all(recording, NULL, &runs);
	assert_int_equal(runs, 2); /* in the batches 1 and 3 */
	recording_close(recording);
	answer_clear(&answer);
	assert_int_equal(lake_end(&lake), 0);
}

static void a_duplicate_is_kept_once(void **state)
{
	struct recording *recording;
	struct answer answer;
	struct lake lake;
	size_t runs = 0;

	lake_make(&lake);
	lake_start(&lake, NULL);
	post_both(&lake);
	post_both(&lake);
	recording = get_recording(&lake, &answer);
	read_all(recording, NULL, &runs);
	assert_int_equal(runs, 1);
	recording_close(recording);
	answer_clear(&answer);
	assert_int_equal(lake_end(&lake), 0);
}

static void the_oldest_go_and_the_recording_says_so(void **state)
{
	static const char *const small[] = { "--keep-batches=8K", NULL };
	struct recording *recording;
	struct example example;
	struct answer answer;
	struct lake lake;
	size_t runs = 0;

	lake_make(&lake);
	lake_start(&lake, small);
	for (uint64_t sequence = 1; sequence <= 40; sequence++) {
		example_make(&example, sequence);
		assert_int_equal(example_post(&lake, &example, NULL), 200);
	}
	recording = get_recording(&lake, &answer);
	read_all(recording, NULL, &runs);
	assert_in_range(runs, 1, 39);
	assert_int_equal(recording_head(recording)->batches, 40);
	assert_int_equal(recording_head(recording)->missing_batches, 40 - runs);
	recording_close(recording);
	answer_clear(&answer);
	assert_int_equal(lake_end(&lake), 0);
}

static void where_nothing_is_kept_there_is_no_recording(void **state)
{
	static const char *const none[] = { "--keep-batches=0", NULL };
	struct answer answer;
	struct lake lake;

	lake_make(&lake);
	lake_start(&lake, none);
	post_both(&lake);
	lake_ask(&lake, "GET", PATH, lake.read, "", NULL, 0, &answer);
	assert_int_equal(answer.status, 404);
	assert_non_null(strstr(answer.body.data, "keep-batches"));
	answer_clear(&answer);
	assert_int_equal(lake_end(&lake), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recording_gives_another_lake_the_same_run_and_no_other),
		cmocka_unit_test(what_was_kept_is_there_after_a_crash),
		cmocka_unit_test(a_duplicate_is_kept_once),
		cmocka_unit_test(the_oldest_go_and_the_recording_says_so),
		cmocka_unit_test(where_nothing_is_kept_there_is_no_recording),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
