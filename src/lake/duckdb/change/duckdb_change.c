/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/change/duckdb_change.h"

#include <errno.h>
#include <string.h>

#include "lake/duckdb/duckdb_engine.h"
#include "lake/duckdb/change/duckdb_statements.h"

/* All changes: NAME is changes/NAME.sql. */
#define CHANGES(C) C(wastes)

#define DECLARE(name) extern const char duckdb_sql_change_##name[];
#define ENTRY(name)   { #name, duckdb_sql_change_##name },
CHANGES(DECLARE) static const struct {
	const char *name, *sql;
} changes[] = { CHANGES(ENTRY) };

int duckdb_change(void *context, const char *name, const struct store_param *params, size_t count,
		  struct error *err)
{
	struct duckdb_engine *engine = context;
	duckdb_connection connection = duckdb_writer_connection(engine->writer);
	const char *sql = NULL;
	int rc;

	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++)
		if (strcmp(changes[i].name, name) == 0)
			sql = changes[i].sql;
	if (!sql)
		return error_set(err, -ENOENT, "there is no change '%s'", name);
	rc = duckdb_run(connection, "BEGIN", "the store cannot begin", err);
	if (rc)
		return rc;
	rc = duckdb_run_statements(connection, sql, params, count, err);
	if (!rc)
		rc = duckdb_run(connection, "COMMIT", "the store cannot commit", err);
	if (rc)
		duckdb_run(connection, "ROLLBACK", "rollback", NULL);
	return rc;
}
