/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/keep/duckdb_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "lake/duckdb/duckdb_engine.h"
#include "lake/duckdb/keep/duckdb_blocks.h"
#include "lake/duckdb/migrate/duckdb_migrate.h"

static int refuse(const char *path, const char *words, struct error *err)
{
	return error_set(err, -EIO, "%s cannot be used as a store: %s", path, words);
}

/* Every row of every table, so that all that lies behind the blocks is read, too. */
static int read_table(duckdb_connection connection, const char *table, struct error *err)
{
	CLEANUP(buffer_clear) struct buffer sql = { 0 };

	buffer_init(&sql, 0);
	buffer_printf(&sql, "SELECT bit_xor(hash(t)) FROM \"%s\" AS t", table);
	return sql.failed ? error_set(err, -ENOMEM, "out of memory")
			  : duckdb_run(connection, sql.data, table, err);
}

static int read_tables(duckdb_connection connection, const struct upkeep *upkeep, struct error *err)
{
	duckdb_result tables;
	idx_t count;
	int rc = 0;

	if (duckdb_query(connection,
			 "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main'",
			 &tables) == DuckDBError)
		rc = error_set(err, -EIO, "%s", duckdb_result_error(&tables));
	count = rc ? 0 : duckdb_row_count(&tables);
	for (idx_t i = 0; !rc && i < count; i++) {
		char *table = duckdb_value_varchar(&tables, 0, i);

		rc = duckdb_upkeep_say(upkeep, err, "reads %s (%llu of %llu tables)", table,
				       (unsigned long long)i + 1, (unsigned long long)count);
		if (!rc)
			rc = read_table(connection, table, err);
		duckdb_free(table);
	}
	duckdb_destroy_result(&tables);
	return rc;
}

static int read_all(duckdb_connection connection, const char *path, const struct upkeep *upkeep,
		    uint64_t *ret_batches, struct error *err)
{
	unsigned version = 0;
	duckdb_result result;
	int rc = duckdb_version_read(connection, duckdb_last_version(DUCKDB_MIGRATIONS), &version,
				     err);

	if (!rc && version == DUCKDB_VERSION_NEW)
		return error_set(err, -EINVAL, "%s is an empty database, and no store", path);
	if (!rc)
		rc = read_tables(connection, upkeep, err);
	if (rc)
		return rc;
	if (duckdb_query(connection, "SELECT count(*) FROM ledger", &result) == DuckDBError)
		rc = refuse(path, duckdb_result_error(&result), err);
	else
		*ret_batches = (uint64_t)duckdb_value_int64(&result, 0, 0);
	duckdb_destroy_result(&result);
	return rc;
}

static int open_to_read(duckdb_database *ret, const char *path, struct error *err)
{
	static const char *const settings[][2] = { { "access_mode", "READ_ONLY" },
						   { "memory_limit", "512MB" },
						   { "threads", "2" },
						   { "enable_external_access", "false" },
						   { "autoload_known_extensions", "false" },
						   { "lock_configuration", "true" } };
	duckdb_config config = NULL;
	char *words = NULL;
	int rc = 0;

	if (duckdb_create_config(&config) == DuckDBError)
		return error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		duckdb_set_config(config, settings[i][0], settings[i][1]);
	if (duckdb_open_ext(path, ret, config, &words) == DuckDBError)
		rc = refuse(path, words ? words : "unknown", err);
	duckdb_free(words);
	duckdb_destroy_config(&config);
	return rc;
}

static int compare_blocks(const char *path, const struct upkeep *upkeep, struct error *err)
{
	struct duckdb_bad_blocks bad;
	CLEANUP(closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	int rc;

	if (fd < 0)
		return error_set(err, -errno, "cannot read %s: %s", path, strerror(errno));
	rc = duckdb_blocks_scan(fd, path, upkeep, &bad, err);
	if (!rc && bad.count)
		rc = error_set(err, -EIO,
			       "%s is damaged: %zu of its %llu blocks have a wrong checksum", path,
			       bad.count, (unsigned long long)bad.blocks);
	return rc;
}

int duckdb_verify(const char *path, const struct upkeep *upkeep, uint64_t *ret_batches,
		  struct error *err)
{
	duckdb_database database = NULL;
	duckdb_connection connection = NULL;
	int rc = compare_blocks(path, upkeep, err);

	if (!rc)
		rc = open_to_read(&database, path, err);
	if (rc)
		return rc;
	if (duckdb_connect(database, &connection) == DuckDBError)
		rc = error_set(err, -ENOMEM, "out of memory");
	else
		rc = read_all(connection, path, upkeep, ret_batches, err);
	duckdb_disconnect(&connection);
	duckdb_close(&database);
	return rc;
}
