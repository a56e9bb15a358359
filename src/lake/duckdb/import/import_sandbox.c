/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/import/import_sandbox.h"

#include <errno.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "lake/duckdb/duckdb_engine.h"

#define MEMORY    "512MB"
#define TEMPORARY "16GB"
#define THREADS   "2"

static int configure(duckdb_config config, const char *work, struct error *err)
{
	const char *const settings[][2] = {
		{ "memory_limit", MEMORY },
		{ "threads", THREADS },
		{ "temp_directory", work },
		{ "preserve_insertion_order", "false" },
		{ "autoinstall_known_extensions", "false" },
		{ "autoload_known_extensions", "false" },
		{ "allow_community_extensions", "false" },
	};

	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		if (duckdb_set_config(config, settings[i][0], settings[i][1]))
			return error_set(err, -EINVAL, "DuckDB refuses %s = %s", settings[i][0],
					 settings[i][1]);
	return 0;
}

static int lock(struct import_sandbox *sandbox, const char *from, const char *work,
		struct error *err)
{
	CLEANUP(buffer_clear) struct buffer sql = { 0 };

	if (strchr(from, '\'') || strchr(work, '\''))
		return error_set(err, -EINVAL,
				 "the path %s has a quotation mark: move the data folder", from);
	buffer_init(&sql, 0);
	buffer_printf(&sql,
		      "SET max_temp_directory_size = '" TEMPORARY
		      "'; SET allowed_directories = ['%s', '%s']; SET enable_external_access = "
		      "false; SET lock_configuration = true",
		      from, work);
	if (sql.failed)
		return error_set(err, -ENOMEM, "no memory to read the file");
	return duckdb_run(sandbox->connection, sql.data, "the file is not read", err);
}

void import_sandbox_close(struct import_sandbox *sandbox)
{
	duckdb_disconnect(&sandbox->connection);
	duckdb_close(&sandbox->database);
}

int import_sandbox_open(struct import_sandbox *ret, const char *from, const char *work,
			struct error *err)
{
	struct import_sandbox sandbox = { 0 };
	duckdb_config config = NULL;
	char *words = NULL;
	int rc;

	if (duckdb_create_config(&config) == DuckDBError)
		return error_set(err, -ENOMEM, "no memory to read the file");
	rc = configure(config, work, err);
	if (!rc && duckdb_open_ext(NULL, &sandbox.database, config, &words) == DuckDBError)
		rc = error_set(err, -EIO, "the file is not read: %s", words ? words : "unknown");
	duckdb_free(words);
	duckdb_destroy_config(&config);
	if (!rc && duckdb_connect(sandbox.database, &sandbox.connection) == DuckDBError)
		rc = error_set(err, -ENOMEM, "no memory to read the file");
	if (!rc)
		rc = lock(&sandbox, from, work, err);
	if (rc)
		import_sandbox_close(&sandbox);
	else
		*ret = sandbox;
	return rc;
}
