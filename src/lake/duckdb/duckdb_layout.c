/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_engine.h"

#include "base/hash.h"
#include "base/log.h"
#include "lake/duckdb/duckdb_sql.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define HASH_SIZE 33 /* 128 bits in hexadecimal digits */

/* Part of the hash: a file of a version that did not shorten texts (duckdb_shorten.c) has another.
 */
#define STEPS "texts are shortened"

static void hash_text(struct hash_seed *seed, const char *text)
{
	hash_bytes_wide(*seed, text, strlen(text), seed->words);
}

/* The hash of the statements that make tables and views. An attacker cannot choose these texts:
 * they are part of the program. */
static void hash_statements(char ret[HASH_SIZE])
{
	struct hash_seed seed = { { 0, 0 } };

	for (const struct duckdb_sql *sql = DUCKDB_TABLES; sql->name; sql++)
		hash_text(&seed, sql->text);
	for (const struct duckdb_sql *sql = DUCKDB_VIEWS; sql->name; sql++)
		hash_text(&seed, sql->text);
	hash_text(&seed, STEPS);
	snprintf(ret, HASH_SIZE, "%016" PRIx64 "%016" PRIx64, seed.words[0], seed.words[1]);
}

/* Whether the file was made by the statements with this hash. False, too, for a file that is older
 * than the table `layout`. */
static bool is_current(duckdb_connection connection, const char *hash)
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

/* Whether no batch was ever stored. */
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
		rc = duckdb_run_all(connection, DUCKDB_VIEWS, err);
	if (!rc)
		rc = duckdb_run(connection, note, what, err);
	return rc ? rc : duckdb_run(connection, "COMMIT", what, err);
}

int duckdb_layout_open(duckdb_connection connection, struct error *err)
{
	struct error words = { "" };
	char hash[HASH_SIZE];
	int rc;

	hash_statements(hash);
	if (is_current(connection, hash))
		return 0;
	rc = duckdb_run_all(connection, DUCKDB_TABLES, err);
	if (!rc)
		rc = duckdb_widen(connection, err);
	if (!rc && !is_empty(connection) && duckdb_shorten(connection, &words)) {
		log_warning("%s. Pages that show them may fail; let the store use more memory "
			    "(--memory-limit) and start it again",
			    error_text(&words));
		*hash = '\0'; /* the next start tries again */
	}
	return rc ? rc : make_views(connection, hash, err);
}
