/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/migrate/duckdb_migrate.h"

#include <errno.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "lake/duckdb/duckdb_engine.h"

#define SAY_NS  ((uint64_t)(10 * NS_PER_S))
#define WAIT_US 1000

/* How far a script is. */
struct course {
	const char *what;
	idx_t statement, statements; /* from 1 */
	uint64_t begun_ns, said_ns;
};

static void say(struct course *course)
{
	uint64_t now_ns = clock_monotonic_ns();

	if (now_ns - course->said_ns < SAY_NS)
		return;
	course->said_ns = now_ns;
	log_info("%s: statement %llu of %llu, after %llu s", course->what,
		 (unsigned long long)course->statement, (unsigned long long)course->statements,
		 (unsigned long long)((now_ns - course->begun_ns) / NS_PER_S));
}

static int fail(const struct course *course, duckdb_error_type type, const char *words,
		struct error *err)
{
	return error_set(err, duckdb_errno(type), "%s: %s", course->what, words);
}

static int finish(duckdb_pending_result pending, const struct course *course, struct error *err)
{
	duckdb_result result;
	int rc = 0;

	if (duckdb_execute_pending(pending, &result) == DuckDBError)
		rc = fail(course, duckdb_result_error_type(&result), duckdb_result_error(&result),
			  err);
	duckdb_destroy_result(&result);
	return rc;
}

/* Runs one task of DuckDB at a time in this thread, and looks at the progress between two. */
static int run_statement(duckdb_prepared_statement statement, struct course *course,
			 struct error *err)
{
	duckdb_pending_result pending = NULL;
	duckdb_pending_state state = DUCKDB_PENDING_RESULT_NOT_READY;
	int rc = 0;

	if (duckdb_pending_prepared(statement, &pending) == DuckDBError)
		rc = fail(course, DUCKDB_ERROR_INVALID, duckdb_pending_error(pending), err);
	while (!rc && !duckdb_pending_execution_is_finished(state)) {
		state = duckdb_pending_execute_task(pending);
		if (state == DUCKDB_PENDING_NO_TASKS_AVAILABLE) /* other threads work */
			usleep(WAIT_US);
		say(course);
	}
	if (!rc)
		rc = finish(pending, course, err);
	duckdb_destroy_pending(&pending);
	return rc;
}

int duckdb_run_long(duckdb_connection connection, const char *sql, const char *what,
		    struct error *err)
{
	struct course course = { .what = what, .begun_ns = clock_monotonic_ns() };
	duckdb_extracted_statements statements = NULL;
	int rc = 0;

	course.said_ns = course.begun_ns;
	course.statements = duckdb_extract_statements(connection, sql, &statements);
	if (!course.statements)
		rc = fail(&course, DUCKDB_ERROR_PARSER, duckdb_extract_statements_error(statements),
			  err);
	for (idx_t i = 0; !rc && i < course.statements; i++) {
		duckdb_prepared_statement statement = NULL;

		course.statement = i + 1;
		if (duckdb_prepare_extracted_statement(connection, statements, i, &statement) ==
		    DuckDBError)
			rc = fail(&course, DUCKDB_ERROR_INVALID, duckdb_prepare_error(statement),
				  err);
		else
			rc = run_statement(statement, &course, err);
		duckdb_destroy_prepare(&statement);
	}
	duckdb_destroy_extracted(&statements);
	return rc;
}
