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
#include "wait.h"

/* A store in which one of the views that the lake made would be read for ever. */

#define EVENTS "/api/v1/runs/latest/events"

static const char ENDLESS[] =
	"CREATE OR REPLACE MACRO losses_of(run) AS TABLE SELECT l.* "
	"FROM losses AS l, range(1000000) AS a, range(1000000) AS b, range(1000000) AS c "
	"WHERE a.range + b.range * c.range = -1";

static void make_endless(const struct lake *lake)
{
	duckdb_connection connection;
	duckdb_database database;
	duckdb_result result;
	char path[128];

	snprintf(path, sizeof(path), "%s/lake/tracer.duckdb", lake->folder);
	assert_int_equal(duckdb_open(path, &database), DuckDBSuccess);
	assert_int_equal(duckdb_connect(database, &connection), DuckDBSuccess);
	if (duckdb_query(connection, ENDLESS, &result) == DuckDBError)
		fail_msg("%s", duckdb_result_error(&result));
	duckdb_destroy_result(&result);
	duckdb_disconnect(&connection);
	duckdb_close(&database);
}

static void serve(struct lake *lake, const char *limit)
{
	const char *const arguments[] = { limit, NULL };

	assert_int_equal(example_serve(lake, NULL), 0);
	assert_int_equal(lake_stop(lake), 0);
	make_endless(lake);
	lake_start(lake, arguments);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_question_that_takes_too_long_is_504_and_the_next_is_answered),
		cmocka_unit_test(a_lake_that_is_stopped_does_not_wait_for_its_queries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
