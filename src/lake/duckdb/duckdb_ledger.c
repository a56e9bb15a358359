/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_ledger.h"

#include "base/clock.h"
#include "lake/duckdb/duckdb_engine.h"
#include "lake/duckdb/duckdb_sql.h"

#include <errno.h>
#include <stdbool.h>

void duckdb_ledger_open(struct duckdb_ledger *ledger, duckdb_connection connection)
{
	duckdb_result result;

	*ledger = (struct duckdb_ledger){ 0 };
	if (duckdb_query(connection, "FROM ledger_folded", &result) == DuckDBSuccess &&
	    duckdb_row_count(&result))
		ledger->folded = duckdb_value_int64(&result, 0, 0);
	duckdb_destroy_result(&result);
	ledger->added = ledger->folded;
}

static bool append(duckdb_appender appender, const struct duckdb_batch *written)
{
	const Signal__Batch *batch = written->batch;

	duckdb_append_int64(appender, written->key);
	duckdb_append_varchar(appender, batch->agent_id);
	duckdb_append_varchar(appender, batch->boot_id);
	duckdb_append_int64(appender, (int64_t)batch->sequence);
	duckdb_append_varchar(appender, batch->host_id);
	duckdb_append_timestamp(appender, (duckdb_timestamp){ batch->created_at / 1000 });
	duckdb_append_timestamp(appender, (duckdb_timestamp){ clock_real_ns() / 1000 });
	duckdb_append_int64(appender, (int64_t)written->records);
	return duckdb_appender_end_row(appender) == DuckDBSuccess;
}

int duckdb_ledger_add(struct duckdb_ledger *ledger, duckdb_connection connection,
		      const struct duckdb_batch *batches, size_t count, struct error *err)
{
	duckdb_appender appender;
	bool done = duckdb_appender_create(connection, NULL, "ledger", &appender) == DuckDBSuccess;

	for (size_t i = 0; i < count && done; i++)
		done = append(appender, &batches[i]);
	if (!done || duckdb_appender_close(appender) == DuckDBError) {
		error_set(err, -EIO, "the store's ledger: %s", duckdb_appender_error(appender));
		done = false;
	}
	duckdb_appender_destroy(&appender);
	if (done && count)
		ledger->added = batches[count - 1].key;
	return done ? 0 : -EIO;
}

int duckdb_ledger_fold(struct duckdb_ledger *ledger, duckdb_connection connection,
		       struct error *err)
{
	int rc;

	if (ledger->added - ledger->folded < DUCKDB_LEDGER_FOLD)
		return 0;
	rc = duckdb_run(connection, duckdb_sql_ingest_fold_ledger, "fold_ledger.sql", err);
	if (!rc) /* also where the commit fails: the next time is later, not never */
		ledger->folded = ledger->added;
	return rc;
}
