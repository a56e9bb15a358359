/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/keep/duckdb_log.h"

#include <errno.h>

#include "base/log.h"
#include "lake/duckdb/duckdb_engine.h"
#include "lake/duckdb/keep/duckdb_mark.h"

static int connect_checkpointer(struct duckdb_engine *engine, struct error *err)
{
	if (!engine->checkpointer &&
	    duckdb_connect(engine->database, &engine->checkpointer) == DuckDBError)
		return error_set(err, -ENOMEM, "no memory to connect to the store");
	return 0;
}

static int checkpoint(struct duckdb_engine *engine, struct error *err)
{
	int rc = connect_checkpointer(engine, err);

	return rc ? rc
		  : duckdb_run(engine->checkpointer, "CHECKPOINT", "the store's log is not emptied",
			       err);
}

/* Writes what came, and leaves row groups as they are. */
static int checkpoint_fast(struct duckdb_engine *engine, struct error *err)
{
	static const char what[] = "the store's log is not emptied";
	int rc = connect_checkpointer(engine, err);

	if (!rc)
		rc = duckdb_run(engine->checkpointer, DUCKDB_LOG_KEEP, what, err);
	if (!rc)
		rc = checkpoint(engine, err);
	if (engine->checkpointer)
		(void)duckdb_run(engine->checkpointer, DUCKDB_LOG_MERGE, what, NULL);
	return rc;
}

/* A checkpoint that fails is logged once the log is long: what was committed is in the log, and
 * stays there. */
int duckdb_tidy(void *context)
{
	struct duckdb_engine *engine = context;
	uint64_t bytes = duckdb_mark_log_bytes(engine->mark);
	struct error err = { "" };
	int rc = bytes > DUCKDB_LOG_USUAL ? checkpoint_fast(engine, &err) : 0;
	bool is_long = rc && bytes > DUCKDB_LOG_LIMIT;

	if (is_long && !engine->log_is_long)
		log_warning("%s", error_text(&err));
	engine->log_is_long = is_long;
	return rc == -ENOTRECOVERABLE ? rc : 0;
}

int duckdb_release(struct duckdb_engine *engine, struct error *err)
{
	return duckdb_mark_log_bytes(engine->mark) < DUCKDB_LOG_REST ? 0 : checkpoint(engine, err);
}
