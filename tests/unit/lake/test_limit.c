/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lake/duckdb/duckdb_engine.h"
#include "wait.h"

/* How long a query may take. The statement is given to the engine: no named query takes this long.
 */

/* A join that DuckDB can only do pair by pair: 10^18 of them, within one operator. */
#define ENDLESS                                                              \
	"SELECT count(*) FROM range(1000000) AS a, range(1000000) AS b, "    \
	"range(1000000) AS c WHERE hash(a.range, b.range, c.range) % 7 = 3 " \
	"AND a.range + b.range * c.range = -1"

static struct lake lake;

static void *open_engine(uint64_t limit_ns)
{
	struct store_options options = { .path = lake.path,
					 .threads = 2,
					 .query_limit_ns = limit_ns };
	struct error err = { "" };
	void *engine = NULL;

	lake_make(&lake);
	lake_close(&lake);
	if (duckdb_operations.open(&engine, &options, &err))
		fail_msg("open: %s", error_text(&err));
	return engine;
}

static void close_engine(void *engine)
{
	duckdb_operations.close(engine);
	lake_remove(&lake);
}

static int ask(void *engine, const char *sql, struct error *err)
{
	struct store_rows *rows = NULL;
	int rc = duckdb_engine_query(engine, sql, NULL, 0, &rows, err);

	store_rows_free(rows);
	return rc;
}

static void a_query_that_takes_too_long_is_ended_and_the_next_is_answered(void **state)
{
	void *engine = open_engine(NS_PER_S);
	struct error err = { "" };

	for (int i = 0; i < 2; i++) {
		assert_int_equal(ask(engine, ENDLESS, &err), -ETIMEDOUT);
		assert_non_null(strstr(error_text(&err), "for 1 s, which is as long as it may"));
		assert_non_null(strstr(error_text(&err), "--query-limit"));
		WAIT_FOR(ask(engine, "SELECT 42", &err) == 0, "the answer to a short question");
	}
	close_engine(engine);
}

struct question {
	void *engine;
	int rc;
	struct error err;
};

static void *ask_endlessly(void *context)
{
	struct question *question = context;

	question->rc = ask(question->engine, ENDLESS, &question->err);
	return NULL;
}

static void a_store_that_is_stopped_ends_what_runs_and_what_comes(void **state)
{
	struct question questions[2] = { { 0 } };
	void *engine = open_engine(3600 * NS_PER_S);
	struct error err = { "" };
	pthread_t threads[2];

	for (int i = 0; i < 2; i++) {
		questions[i].engine = engine;
		assert_int_equal(pthread_create(&threads[i], NULL, ask_endlessly, &questions[i]),
				 0);
	}
	duckdb_operations.stop(engine);
	for (int i = 0; i < 2; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(questions[i].rc, -ECANCELED);
		assert_non_null(strstr(error_text(&questions[i].err), "is being stopped"));
	}
	assert_int_equal(ask(engine, ENDLESS, &err), -ECANCELED);
	close_engine(engine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_query_that_takes_too_long_is_ended_and_the_next_is_answered),
		cmocka_unit_test(a_store_that_is_stopped_ends_what_runs_and_what_comes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
