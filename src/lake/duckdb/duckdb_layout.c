/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_engine.h"

#include "base/hash.h"
#include "base/log.h"
#include "lake/store/sql.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define HASH_SIZE 33 /* 128 bits in hexadecimal digits */

/* The statements that a layout is made by; and that what was there is mended (duckdb_resync.c). */
static const char *const SOURCES[] = { sql_schema, sql_views, sql_queue, "mended" };
#define SOURCE_COUNT (sizeof(SOURCES) / sizeof(SOURCES[0]))

/* A hash of the statements. It need not withstand an adversary: the texts are this program's own.
 */
static void hash_sources(char ret[HASH_SIZE])
{
	struct hash_seed seed = { { 0, 0 } };

	for (size_t i = 0; i < SOURCE_COUNT; i++)
		hash_bytes_wide(seed, SOURCES[i], strlen(SOURCES[i]), seed.words);
	snprintf(ret, HASH_SIZE, "%016" PRIx64 "%016" PRIx64, seed.words[0], seed.words[1]);
}

/* Whether the file says that it was laid out by the statements of this hash. A file of before
 * there was such a table does not. */
static bool is_laid_out(duckdb_connection connection, const char *hash)
{
	duckdb_result result;
	char *have = NULL;
	bool same;

	if (duckdb_query(connection, "SELECT hash FROM layout", &result) == DuckDBSuccess &&
	    duckdb_row_count(&result) == 1)
		have = duckdb_value_varchar(&result, 0, 0);
	same = have && strcmp(have, hash) == 0;
	duckdb_free(have);
	duckdb_destroy_result(&result);
	return same;
}

/* Nothing was ever written. */
static bool is_empty(duckdb_connection connection)
{
	duckdb_result result;
	bool empty = duckdb_query(connection, "FROM ledger LIMIT 1", &result) == DuckDBSuccess &&
		     duckdb_row_count(&result) == 0;

	duckdb_destroy_result(&result);
	return empty;
}

static int make_views(duckdb_connection connection, const char *hash, struct error *err)
{
	static const char what[] = "the store cannot make its views";
	char note[128];
	int rc = duckdb_run(connection, "BEGIN", what, err);

	snprintf(note, sizeof(note), "DELETE FROM layout; INSERT INTO layout VALUES ('%s')", hash);
	if (!rc)
		rc = duckdb_run(connection, sql_views, "views.sql", err);
	if (!rc)
		rc = duckdb_run(connection, sql_queue, "queue.sql", err);
	if (!rc)
		rc = duckdb_run(connection, note, what, err);
	return rc ? rc : duckdb_run(connection, "COMMIT", what, err);
}

int duckdb_layout_open(duckdb_connection connection, struct error *err)
{
	struct error words = { "" };
	char hash[HASH_SIZE];
	int rc;

	hash_sources(hash);
	if (is_laid_out(connection, hash))
		return 0;
	rc = duckdb_run(connection, sql_schema, "schema.sql", err);
	if (!rc)
		rc = duckdb_widen(connection, err);
	if (!rc && !is_empty(connection) && duckdb_mend(connection, &words)) {
		log_warning("%s. Pages that show them may fail; let the store use more memory "
			    "(--memory-limit) and start it again",
			    error_text(&words));
		*hash = '\0'; /* the next start tries again */
	}
	return rc ? rc : make_views(connection, hash, err);
}
