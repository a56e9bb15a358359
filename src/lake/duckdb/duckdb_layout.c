/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_engine.h"

#include "base/hash.h"
#include "lake/duckdb/duckdb_sql.h"
#include "lake/duckdb/migrate/duckdb_migrate.h"
#include "lake/duckdb/settle/duckdb_settle.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define HASH_SIZE 33 /* 128 bits in hexadecimal digits */

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

static const char what[] = "the store cannot make its tables and views";

/* Views, and the note of which statements made the file; within the caller's transaction. */
static int write_views(duckdb_connection connection, const char *hash, struct error *err)
{
	char note[128];
	int rc = duckdb_run_all(connection, DUCKDB_VIEWS, err);

	snprintf(note, sizeof(note), "DELETE FROM layout; INSERT INTO layout VALUES ('%s')", hash);
	return rc ? rc : duckdb_run(connection, note, what, err);
}

/* Ends a transaction in which rc was returned. */
static int end(duckdb_connection connection, int rc, struct error *err)
{
	if (!rc)
		rc = duckdb_run(connection, "COMMIT", what, err);
	if (rc)
		duckdb_run(connection, "ROLLBACK", what, NULL);
	return rc;
}

static int make_new(duckdb_connection connection, const char *hash, struct error *err)
{
	int rc = duckdb_run(connection, "BEGIN", what, err);

	if (rc)
		return rc;
	rc = duckdb_run_all(connection, DUCKDB_TABLES, err);
	if (!rc)
		rc = duckdb_version_write(connection, duckdb_last_version(DUCKDB_MIGRATIONS), err);
	if (!rc)
		rc = write_views(connection, hash, err);
	return end(connection, rc, err);
}

/* The tables and columns that need no step: those that are new. */
static int add_new(duckdb_connection connection, const char *hash, struct error *err)
{
	int rc = duckdb_run_all(connection, DUCKDB_TABLES, err);

	if (!rc)
		rc = duckdb_widen(connection, DUCKDB_TABLES, DUCKDB_VIEWS, err);
	if (!rc)
		rc = duckdb_run(connection, "BEGIN", what, err);
	return rc ? rc : end(connection, write_views(connection, hash, err), err);
}

/* *ret_made: tables or views were made. */
static int make_layout(duckdb_connection connection, bool *ret_made, struct error *err)
{
	unsigned newest = duckdb_last_version(DUCKDB_MIGRATIONS), version = 0;
	char hash[HASH_SIZE];
	int rc = duckdb_version_read(connection, newest, &version, err);

	if (rc)
		return rc;
	hash_statements(hash);
	*ret_made = version != newest || !is_current(connection, hash);
	if (!*ret_made)
		return 0;
	if (version == DUCKDB_VERSION_NEW)
		return make_new(connection, hash, err);
	rc = duckdb_migrate(connection, DUCKDB_MIGRATIONS, version, err);
	return rc ? rc : add_new(connection, hash, err);
}

int duckdb_layout_open(duckdb_connection connection, struct error *err)
{
	bool made = false;
	int rc = make_layout(connection, &made, err);

	if (rc == 0 && (made || duckdb_has_settled(connection)))
		duckdb_repack_settled(connection);
	return rc;
}
