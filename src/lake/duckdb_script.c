#include "lake/duckdb_script.h"

#include "base/cleanup.h"
#include "lake/duckdb_engine.h"

#include <errno.h>
#include <stdlib.h>

#define STATEMENTS_MAX 4
/* A plan is made for the sizes that tables have then; they grow. Planning anew now and then costs
 * next to nothing and never lets a plan made for empty tables meet full ones for long. */
#define RUNS_OF_A_PLAN 256

struct duckdb_script {
	duckdb_connection connection;
	const char *name, *sql;
	duckdb_prepared_statement statements[STATEMENTS_MAX];
	size_t count;
	unsigned runs;
};

static void forget(struct duckdb_script *script)
{
	for (size_t i = 0; i < script->count; i++)
		duckdb_destroy_prepare(&script->statements[i]);
	script->count = 0;
	script->runs = 0;
}

void duckdb_script_free(struct duckdb_script *script)
{
	if (!script)
		return;
	forget(script);
	free(script);
}

DEFINE_CLEANUP(struct duckdb_script *, duckdb_script_free)

static int prepare_each(struct duckdb_script *script, duckdb_extracted_statements extracted,
			idx_t count, struct error *err)
{
	for (idx_t i = 0; i < count; i++) {
		duckdb_prepared_statement *statement = &script->statements[script->count++];

		if (duckdb_prepare_extracted_statement(script->connection, extracted, i,
						       statement) == DuckDBError)
			return error_set(err, -EIO, "%s.sql: %s", script->name,
					 duckdb_prepare_error(*statement));
	}
	return 0;
}

static int prepare(struct duckdb_script *script, struct error *err)
{
	duckdb_extracted_statements extracted = NULL;
	idx_t count = duckdb_extract_statements(script->connection, script->sql, &extracted);
	int rc;

	if (!count || count > STATEMENTS_MAX)
		rc = error_set(err, -EIO, "%s.sql: %s", script->name,
			       count ? "too many statements"
				     : duckdb_extract_statements_error(extracted));
	else
		rc = prepare_each(script, extracted, count, err);
	duckdb_destroy_extracted(&extracted);
	return rc;
}

int duckdb_script_make(struct duckdb_script **ret, duckdb_connection connection, const char *name,
		       const char *sql, struct error *err)
{
	CLEANUP(duckdb_script_freep) struct duckdb_script *script = calloc(1, sizeof(*script));
	int rc;

	if (!script)
		return error_set(err, -ENOMEM, "no memory to open the store");
	*script = (struct duckdb_script){ .connection = connection, .name = name, .sql = sql };
	rc = prepare(script, err);
	if (!rc)
		*ret = TAKE_PTR(script);
	return rc;
}

static int run_one(struct duckdb_script *script, size_t index, struct error *err)
{
	duckdb_result result;
	int rc = 0;

	if (duckdb_execute_prepared(script->statements[index], &result) == DuckDBError)
		rc = error_set(err, duckdb_errno(duckdb_result_error_type(&result)), "%s.sql: %s",
			       script->name, duckdb_result_error(&result));
	duckdb_destroy_result(&result);
	return rc;
}

int duckdb_script_run(struct duckdb_script *script, struct error *err)
{
	int rc = 0;

	if (++script->runs > RUNS_OF_A_PLAN) {
		forget(script);
		rc = prepare(script, err);
	}
	for (size_t i = 0; i < script->count && !rc; i++)
		rc = run_one(script, i, err);
	return rc;
}
