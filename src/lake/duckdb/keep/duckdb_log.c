/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/keep/duckdb_log.h"

#include <errno.h>

#include "base/log.h"
#include "lake/duckdb/duckdb_engine.h"
#include "lake/duckdb/keep/duckdb_mark.h"

static int checkpoint(struct duckdb_engine *engine, struct error *err)
{
	if (!engine->checkpointer &&
	    duckdb_connect(engine->database, &engine->checkpointer) == DuckDBError)
		return error_set(err, -ENOMEM, "no memory to connect to the store");
	return duckdb_run(engine->checkpointer, "CHECKPOINT", "the store's log is not emptied",
			  err);
}

/* A checkpoint that fails is logged: what was committed is in the log, and stays there. */
static void empty_long_log(struct duckdb_engine *engine)
{
	struct error err = { "" };

	if (!checkpoint(engine, &err))
		return;
	if (!engine->log_is_long)
		log_warning("%s", error_text(&err));
	engine->log_is_long = true;
}

void duckdb_committed(struct duckdb_engine *engine, uint64_t batches)
{
	duckdb_mark_add(engine->mark, batches);
	if (duckdb_mark_log_bytes(engine->mark) > DUCKDB_LOG_LIMIT)
		empty_long_log(engine);
	else
		engine->log_is_long = false;
}

int duckdb_release(struct duckdb_engine *engine, struct error *err)
{
	return duckdb_mark_log_bytes(engine->mark) < DUCKDB_LOG_REST ? 0 : checkpoint(engine, err);
}
