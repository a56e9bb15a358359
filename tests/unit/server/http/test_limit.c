/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>
#include <duckdb.h>

#include "base/file.h"
#include "fixture_batch.h"
#include "server/query/query_pool.h"
#include "wait.h"

/* A store in which one of the views that the lake made would be read for ever. */

#define EVENTS "/api/v1/runs/latest/events"

static const char ENDLESS[] =
	"CREATE OR REPLACE MACRO losses_of(run) AS TABLE SELECT l.* "
	"FROM losses AS l, range(1000000) AS a, range(1000000) AS b, range(1000000) AS c "
	"WHERE a.range + b.range * c.range = -1";

/* One value that is larger than the memory of the store. */
static const char LARGE[] =
	"CREATE OR REPLACE MACRO losses_of(run) AS TABLE SELECT l.* FROM losses AS l "
	"WHERE (SELECT len(list(range)) FROM range(200000000)) = -1";

/* More different numbers than the memory, and what may be written to the disk, hold. */
static const char WIDE[] =
	"CREATE OR REPLACE MACRO losses_of(run) AS TABLE SELECT l.* FROM losses AS l "
	"WHERE (SELECT max(n) FROM (SELECT range * 7919 % 199999949 AS k, count(*) AS n "
	"FROM range(199999949) GROUP BY k)) = -1";

static void change(const struct lake *lake, const char *sql)
{
	duckdb_connection connection;
	duckdb_database database;
	duckdb_result result;
	char path[128];

	snprintf(path, sizeof(path), "%s/lake/tracer.duckdb", lake->folder);
	assert_int_equal(duckdb_open(path, &database), DuckDBSuccess);
	assert_int_equal(duckdb_connect(database, &connection), DuckDBSuccess);
	if (duckdb_query(connection, sql, &result) == DuckDBError)
		fail_msg("%s", duckdb_result_error(&result));
	duckdb_destroy_result(&result);
	duckdb_disconnect(&connection);
	duckdb_close(&database);
}

static void serve_with(struct lake *lake, const char *sql, const char *limit)
{
	const char *const arguments[] = { limit, "--memory-limit=128M", NULL };

	assert_int_equal(example_serve(lake, NULL), 0);
	assert_int_equal(lake_stop(lake), 0);
	change(lake, sql);
	lake_start(lake, arguments);
}

static void serve(struct lake *lake, const char *limit)
{
	serve_with(lake, ENDLESS, limit);
}

static int status_of(const struct lake *lake, const char *path)
{
	struct answer answer;
	int status;

	lake_ask(lake, "GET", path, lake->read, NULL, NULL, 0, &answer);
	status = answer.status;
	answer_clear(&answer);
	return status;
}

static void a_question_that_takes_too_long_is_504_and_the_next_is_answered(void **state)
{
	struct answer answer;
	struct lake lake;

	serve(&lake, "--query-limit=1s");
	lake_ask(&lake, "GET", EVENTS, lake.read, NULL, NULL, 0, &answer);
	assert_int_equal(answer.status, 504);
	assert_string_equal(answer_header(&answer, "Content-Type"),
			    "application/problem+json; charset=utf-8");
	assert_non_null(strstr(answer.body.data, "for 1 s, which is as long as it may"));
	assert_non_null(strstr(answer.body.data, "ask for less"));
	answer_clear(&answer);
	WAIT_FOR(status_of(&lake, "/api/v1/hosts") == 200, "an answer about the hosts");
	assert_int_equal(lake_end(&lake), 0);
}

/* Clock ticks of CPU time that the lake has used. */
static unsigned long cpu_ticks(const struct lake *lake)
{
	unsigned long user = 0, kernel = 0;
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)lake->pid);
	file = fopen(path, "re");
	assert_non_null(file);
	assert_int_equal(fscanf(file,
				"%*d (tracer-lake) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u "
				"%lu %lu",
				&user, &kernel),
			 2);
	assert_int_equal(fclose(file), 0);
	return user + kernel;
}

/* Its log says so of a query that was given up only when its time was over. */
static bool has_waited(const struct lake *lake)
{
	char path[128], *text;
	bool waited;
	size_t len;

	snprintf(path, sizeof(path), "%s/err", lake->folder);
	assert_int_equal(file_read(AT_FDCWD, path, 1 << 20, &text, &len), 0);
	waited = strstr(text, "as long as it may") != NULL;
	free(text);
	return waited;
}

static void a_lake_that_is_stopped_does_not_wait_for_its_queries(void **state)
{
	unsigned long begun;
	char request[256];
	struct lake lake;
	int fd;

	serve(&lake, "--query-limit=50s");
	begun = cpu_ticks(&lake);
	snprintf(request, sizeof(request),
		 "GET " EVENTS " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n",
		 lake.read);
	fd = lake_connect(&lake);
	assert_true(fd >= 0);
	assert_int_equal(send(fd, request, strlen(request), MSG_NOSIGNAL), strlen(request));
	WAIT_FOR(cpu_ticks(&lake) > begun + 50, "the query to be at work");
	assert_int_equal(lake_stop(&lake), 0);
	assert_false(has_waited(&lake));
	close(fd);
	lake_remove(&lake);
}

static void a_question_that_needs_too_much_memory_is_503_and_the_next_is_answered(void **state)
{
	static const char *const rows[] = { LARGE, WIDE };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct answer answer;
		struct lake lake;

		serve_with(&lake, rows[i], "--query-limit=50s");
		lake_ask(&lake, "GET", EVENTS, lake.read, NULL, NULL, 0, &answer);
		assert_int_equal(answer.status, 503);
		assert_string_equal(answer_header(&answer, "Retry-After"), "5");
		assert_non_null(strstr(answer.body.data, "--memory-limit"));
		answer_clear(&answer);
		assert_int_equal(status_of(&lake, "/api/v1/hosts"), 200);
		assert_int_equal(lake_end(&lake), 0);
	}
}

#define READERS 16
#define BATCHES 4

/* Sends the question and does not wait; the client's socket. */
static int ask_endless(const struct lake *lake)
{
	char request[256];
	int fd = lake_connect(lake);

	snprintf(request, sizeof(request),
		 "GET " EVENTS " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n",
		 lake->read);
	assert_true(fd >= 0);
	assert_int_equal(send(fd, request, strlen(request), MSG_NOSIGNAL), strlen(request));
	return fd;
}

static void close_all(const int *fds, size_t count)
{
	for (size_t i = 0; i < count; i++)
		close(fds[i]);
}

/* The status of an answer that has arrived; 0: none has. */
static int status_so_far(int fd)
{
	char head[16] = "";

	return recv(fd, head, sizeof(head) - 1, MSG_PEEK | MSG_DONTWAIT) > 12 ? atoi(head + 9) : 0;
}

/* More readers than the lake has threads of any kind. */
static void batches_are_taken_while_readers_keep_the_store_busy(void **state)
{
	static struct example example;
	struct lake lake;
	int fds[READERS];
	unsigned long begun;

	serve(&lake, "--query-limit=50s");
	begun = cpu_ticks(&lake);
	for (size_t i = 0; i < READERS; i++)
		fds[i] = ask_endless(&lake);
	WAIT_FOR(cpu_ticks(&lake) > begun + 50, "the queries to be at work");
	for (uint64_t sequence = 2; sequence < 2 + BATCHES; sequence++) {
		bool duplicate = true;

		example_make(&example, sequence);
		assert_int_equal(example_post(&lake, &example, &duplicate), 200);
		assert_false(duplicate);
		for (size_t i = 0; sequence == 2 && i < READERS; i++)
			assert_int_not_equal(status_so_far(fds[i]), 504); /* none had to end */
	}
	assert_int_equal(status_of(&lake, "/healthz"), 200);
	close_all(fds, READERS);
	assert_int_equal(lake_end(&lake), 0);
}

static void the_query_of_a_client_that_went_away_is_ended(void **state)
{
	struct lake lake;
	int fds[READERS];
	unsigned long begun;

	serve(&lake, "--query-limit=50s");
	begun = cpu_ticks(&lake);
	for (size_t i = 0; i < READERS; i++)
		fds[i] = ask_endless(&lake);
	WAIT_FOR(cpu_ticks(&lake) > begun + 50, "the queries to be at work");
	close_all(fds, READERS);
	WAIT_FOR(status_of(&lake, "/api/v1/hosts") == 200, "an answer about the hosts");
	assert_false(has_waited(&lake));
	assert_int_equal(lake_end(&lake), 0);
}

#define TOO_MANY 4

static size_t refused(const int *fds, size_t count)
{
	size_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += status_so_far(fds[i]) == 503;
	return sum;
}

static void a_question_beyond_the_line_is_503_at_once(void **state)
{
	int fds[QUERY_POOL_THREADS + QUERY_POOL_WAITING + TOO_MANY];
	const size_t count = sizeof(fds) / sizeof(fds[0]);
	struct lake lake;

	serve(&lake, "--query-limit=50s");
	for (size_t i = 0; i < count; i++)
		fds[i] = ask_endless(&lake);
	WAIT_FOR(refused(fds, count) >= TOO_MANY, "503 for what is beyond the line");
	close_all(fds, count);
	assert_int_equal(lake_end(&lake), 0);
}

static void answers_have_a_memory_that_is_given_back(void **state)
{
	static const char *const tight[] = { "--answers-memory=64K", NULL }, *const too_small[] = {
		"--answers-memory=1K", NULL
	};
	struct answer answer;
	struct lake lake;

	assert_int_equal(example_serve(&lake, NULL), 0);
	assert_int_equal(lake_stop(&lake), 0);
	lake_start(&lake, tight);
	for (int i = 0; i < 100; i++)
		assert_int_equal(status_of(&lake, "/api/v1/hosts"), 200);
	assert_int_equal(lake_stop(&lake), 0);
	lake_start(&lake, too_small);
	lake_ask(&lake, "GET", "/api/v1/runs", lake.read, NULL, NULL, 0, &answer);
	assert_int_equal(answer.status, 503);
	assert_string_equal(answer_header(&answer, "Retry-After"), "5");
	assert_non_null(strstr(answer.body.data, "--answers-memory"));
	answer_clear(&answer);
	assert_int_equal(lake_end(&lake), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_question_that_takes_too_long_is_504_and_the_next_is_answered),
		cmocka_unit_test(a_lake_that_is_stopped_does_not_wait_for_its_queries),
		cmocka_unit_test(
			a_question_that_needs_too_much_memory_is_503_and_the_next_is_answered),
		cmocka_unit_test(batches_are_taken_while_readers_keep_the_store_busy),
		cmocka_unit_test(the_query_of_a_client_that_went_away_is_ended),
		cmocka_unit_test(a_question_beyond_the_line_is_503_at_once),
		cmocka_unit_test(answers_have_a_memory_that_is_given_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
