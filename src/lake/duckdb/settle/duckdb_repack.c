/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/settle/duckdb_settle.h"

#include "base/cleanup.h"
#include "base/log.h"
#include "lake/duckdb/duckdb_sql.h"
#include "lake/store/rows.h"

DEFINE_CLEANUP(struct store_rows *, store_rows_free)

static const char what[] = "tables of settled runs";

bool duckdb_has_settled(duckdb_connection connection)
{
	duckdb_result result;
	bool has = duckdb_query(connection, "SELECT 1 FROM settled LIMIT 1", &result) ==
			   DuckDBSuccess &&
		   duckdb_row_count(&result) > 0;

	duckdb_destroy_result(&result);
	return has;
}

void duckdb_repack_settled(duckdb_connection connection)
{
	CLEANUP(store_rows_freep) struct store_rows *statements = NULL;
	struct error err = { "" };
	int rc = duckdb_query_rows(connection, duckdb_sql_ingest_repack_settled, NULL, 0,
				   &statements, &err);

	while (rc == 0 && store_next(statements)) {
		rc = duckdb_run(connection, store_text(statements, 0), what, &err);
		if (rc)
			duckdb_run(connection, "ROLLBACK", what, NULL);
	}
	if (rc)
		log_warning("pages of settled runs take longer until the next start: %s",
			    error_text(&err));
}
