/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <jansson.h>

#include "base/text.h"
#include "fixture_batch.h"
#include "signal/batch.h"

#define TYPE "Content-Type: application/x-protobuf\r\nContent-Encoding: zstd\r\n"

static struct lake lake;

static int start(void **state)
{
	lake_make(&lake);
	lake_start(&lake, NULL);
	return 0;
}

static int stop(void **state)
{
	return lake_end(&lake);
}

static size_t count_of(const char *path, const char *key)
{
	json_t *json = lake_get(&lake, path, 200);
	size_t count = json_array_size(json_object_get(json, key));

	json_decref(json);
	return count;
}

static void a_batch_is_stored_and_said_to_be(void **state)
{
	struct example example;
	struct buffer packed;
	struct answer answer;

	example_make(&example, 1);
	buffer_init(&packed, 0);
	assert_int_equal(batch_pack(&example.batch, &packed), 0);
	lake_ask(&lake, "POST", "/api/v1/ingest", lake.ingest, TYPE, packed.data, packed.len,
		 &answer);
	assert_int_equal(answer.status, 200);
	assert_true(text_starts_with(answer.body.data,
				     "{\"sequence\":1,\"duplicate\":false,\"received_ns\":1"));
	assert_string_equal(answer_header(&answer, "Cache-Control"), "no-store");
	answer_clear(&answer);
	lake_ask(&lake, "POST", "/api/v1/ingest", lake.ingest, TYPE, packed.data, packed.len,
		 &answer);
	assert_int_equal(answer.status, 200);
	assert_true(text_starts_with(answer.body.data, "{\"sequence\":1,\"duplicate\":true,"));
	answer_clear(&answer);
	buffer_clear(&packed);
	assert_int_equal(count_of("/api/v1/runs/latest/processes", "processes"),
			 EXAMPLE_EXECUTIONS);
}

static void expect(const char *headers, const void *body, size_t len, int status, const char *words)
{
	struct answer answer;

	lake_ask(&lake, "POST", "/api/v1/ingest", lake.ingest, headers, body, len, &answer);
	if (answer.status != status || !strstr(answer.body.data, words))
		fail_msg("%d, not %d with \"%s\": %s", answer.status, status, words,
			 answer.body.data);
	assert_string_equal(answer_header(&answer, "Content-Type"),
			    "application/problem+json; charset=utf-8");
	answer_clear(&answer);
}

static void what_is_no_batch_is_refused_in_words(void **state)
{
	static const char FRAME[] = "\x28\xb5\x2f\xfd\x04\x00\x19\x00\x00xyz";
	struct example example;
	struct buffer packed;

	expect(TYPE, "", 0, 400, "detail");
	expect(TYPE, "not zstd", 8, 400, "detail");
	expect(TYPE, FRAME, sizeof(FRAME) - 1, 400, "detail");
	expect("Content-Type: application/json\r\n", "{}", 2, 415, "x-protobuf");
	expect("Content-Encoding: gzip\r\n", "x", 1, 415, "zstd");
	example_make(&example, 2);
	example.batch.agent_id = "";
	buffer_init(&packed, 0);
	assert_int_equal(batch_pack(&example.batch, &packed), 0);
	expect(TYPE, packed.data, packed.len, 400, "agent_id");
	expect(TYPE, packed.data, packed.len / 2, 400, "detail");
	buffer_clear(&packed);
}

static void a_body_at_the_cap_is_read_and_one_beyond_is_too_large(void **state)
{
	char *body = calloc(1, BATCH_PACKED_LIMIT + 1);

	expect(TYPE, body, BATCH_PACKED_LIMIT, 400, "detail");
	expect(TYPE, body, BATCH_PACKED_LIMIT + 1, 413, "4194304");
	free(body);
}

/* A frame of a few KiB that says it holds 1 GiB: refused by what it says, not by filling memory. */
static void a_bomb_is_refused(void **state)
{
	static const unsigned char BOMB[] = { 0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0x00, 0x00, 0x00, 0x40,
					      0x00, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x41 };
	struct answer answer;

	lake_ask(&lake, "POST", "/api/v1/ingest", lake.ingest, TYPE, BOMB, sizeof(BOMB), &answer);
	assert_in_set(answer.status, ((unsigned long[]){ 400, 413 }), 2);
	answer_clear(&answer);
}

static void metrics_count_what_came(void **state)
{
	struct answer answer;
	const char *end;

	lake_ask(&lake, "GET", "/metrics", lake.read, NULL, NULL, 0, &answer);
	assert_int_equal(answer.status, 200);
	assert_string_equal(answer_header(&answer, "Content-Type"),
			    "application/openmetrics-text; version=1.0.0; charset=utf-8");
	assert_non_null(strstr(answer.body.data, "tracer_lake_batches_total 1\n"));
	assert_non_null(strstr(answer.body.data, "tracer_lake_duplicate_batches_total 1\n"));
	assert_non_null(strstr(answer.body.data, "tracer_store_runs 1\n"));
	assert_non_null(strstr(answer.body.data, "\ntracer_agent_cpu_ratio{host=\""));
	assert_non_null(
		strstr(answer.body.data, "\ntracer_agent_lost_records{host=\"node-1\"} 5\n"));
	end = answer.body.data + answer.body.len - strlen("# EOF\n");
	assert_string_equal(end, "# EOF\n");
	answer_clear(&answer);
}

/* Sends batches, and kills the lake during one of those after the first few; returns the
 * sequence of the last acknowledged. */
static uint64_t send_until_killed(struct lake *victim, uint64_t few)
{
	uint64_t acknowledged = 0;
	pid_t killer = 0;

	for (uint64_t sequence = 1;; sequence++) {
		struct example example;
		char id[64];
		_Bool duplicate;

		snprintf(id, sizeof(id), "run-%d", (int)sequence);
		if (acknowledged == few && (killer = fork()) == 0) {
			kill(victim->pid, SIGKILL);
			_exit(0);
		}
		example_run_only(&example, sequence, id, id);
		if (example_post(victim, &example, &duplicate) != 200)
			break;
		assert_false(duplicate);
		acknowledged = sequence;
	}
	waitpid(killer, NULL, 0);
	return acknowledged;
}

/* All of them again, and one more: the acknowledged are known, and every one is there once. */
static void resend(struct lake *victim, uint64_t acknowledged)
{
	json_t *json;

	for (uint64_t sequence = 1; sequence <= acknowledged + 1; sequence++) {
		struct example example;
		char id[64];
		_Bool duplicate;

		snprintf(id, sizeof(id), "run-%d", (int)sequence);
		example_run_only(&example, sequence, id, id);
		assert_int_equal(example_post(victim, &example, &duplicate), 200);
		if (sequence <= acknowledged)
			assert_true(duplicate);
	}
	json = lake_get(victim, "/api/v1/runs?limit=10000", 200);
	assert_int_equal(json_array_size(json_object_get(json, "runs")), acknowledged + 1);
	json_decref(json);
}

static void what_was_acknowledged_survives_a_kill_and_is_not_counted_twice(void **state)
{
	struct lake victim;
	uint64_t acknowledged;

	lake_make(&victim);
	for (unsigned round = 1; round <= 3; round++) {
		lake_start(&victim, NULL);
		acknowledged = send_until_killed(&victim, 5 * round);
		lake_reap(&victim);
		assert_true(acknowledged > 0);
		lake_start(&victim, NULL);
		resend(&victim, acknowledged);
		assert_int_equal(lake_stop(&victim), 0);
		lake_forget(&victim);
	}
	lake_remove(&victim);
}

static void limit_files(const struct lake *limited, rlim_t bytes)
{
	const struct rlimit limit = { .rlim_cur = bytes, .rlim_max = RLIM_INFINITY };

	assert_int_equal(prlimit(limited->pid, RLIMIT_FSIZE, &limit, NULL), 0);
}

/* Files that may not grow stand for a full disk: the same path of errors, without a mount. */
static void a_store_that_cannot_write_keeps_nothing_and_says_503(void **state)
{
	struct example example;
	struct buffer packed;
	struct answer answer;
	struct lake full;
	_Bool duplicate;

	lake_make(&full);
	lake_start(&full, NULL);
	example_make(&example, 1);
	assert_int_equal(example_post(&full, &example, NULL), 200);
	limit_files(&full, 0);
	example_run_only(&example, 2, "run-2", "run-2");
	buffer_init(&packed, 0);
	assert_int_equal(batch_pack(&example.batch, &packed), 0);
	lake_ask(&full, "POST", "/api/v1/ingest", full.ingest, TYPE, packed.data, packed.len,
		 &answer);
	assert_int_equal(answer.status, 503);
	assert_non_null(answer_header(&answer, "Retry-After"));
	answer_clear(&answer);
	buffer_clear(&packed);
	limit_files(&full, RLIM_INFINITY);
	assert_int_equal(example_post(&full, &example, &duplicate), 200);
	assert_false(duplicate);
	json_decref(lake_get(&full, "/api/v1/runs/run-2", 200));
	json_decref(lake_get(&full, "/api/v1/runs/demo", 200));
	assert_int_equal(lake_stop(&full), 0);
	lake_remove(&full);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_batch_is_stored_and_said_to_be),
		cmocka_unit_test(metrics_count_what_came),
		cmocka_unit_test(what_is_no_batch_is_refused_in_words),
		cmocka_unit_test(a_body_at_the_cap_is_read_and_one_beyond_is_too_large),
		cmocka_unit_test(a_bomb_is_refused),
		cmocka_unit_test(a_store_that_cannot_write_keeps_nothing_and_says_503),
		cmocka_unit_test(what_was_acknowledged_survives_a_kill_and_is_not_counted_twice),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
