/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/keep/duckdb_open.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "lake/duckdb/duckdb_engine.h"
#include "lake/duckdb/duckdb_machine_price.h"
#include "lake/duckdb/figures/duckdb_functions.h"
#include "lake/duckdb/keep/duckdb_log.h"

#define DEFAULT_MEMORY  ((uint64_t)544 << 20)
#define THREADS_MAX     4
#define TEMPORARY_TIMES 4 /* the memory: of temporary files at most */

/* Parts of DuckDB's messages about damaged files (1.5). */
static const char *const DAMAGE[] = {
	"Corrupt",        "WAL file",          "WAL does not match",    "checkpoint iteration",
	"not a valid",    "Could not read",    "Failed to deserialize", "Serialization Error",
	"INTERNAL Error", "Unsupported block",
};

/* Whether DuckDB's message says that a file is damaged. */
static bool is_damage(const char *words)
{
	for (size_t i = 0; i < sizeof(DAMAGE) / sizeof(DAMAGE[0]); i++)
		if (strstr(words, DAMAGE[i]))
			return true;
	return false;
}

int duckdb_name_cure(int rc, struct error *err)
{
	struct error words;

	if (rc != -EIO || !err || !is_damage(err->text))
		return rc;
	words = *err;
	return error_set(err, rc,
			 "the store is damaged: run tracer-lake check, and restore the last backup "
			 "(docs/operate.md). DuckDB says: %s",
			 words.text);
}

char *duckdb_work_folder(const char *path)
{
	char *folder;

	return asprintf(&folder, "%s" DUCKDB_WORK_SUFFIX, path) < 0 ? NULL : folder;
}

/* Half of the CPUs: queries run beside each other, and the thread that writes turns in a loop, on a
 * CPU, while other threads of DuckDB work for it. */
static unsigned duckdb_threads(const struct store_options *options)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (options->threads)
		return options->threads;
	if (cpus < 4)
		return 1;
	return cpus / 2 < THREADS_MAX ? (unsigned)(cpus / 2) : THREADS_MAX;
}

static uint64_t memory_of(const struct store_options *options)
{
	return options->memory_limit ? options->memory_limit : DEFAULT_MEMORY;
}

/* A new file is of the latest format: its log names the database that it belongs to. Long texts, of
 * which there are few, are not compressed: to read one, DuckDB would unpack 2,048. */
static int configure(duckdb_config config, const struct store_options *options, struct error *err)
{
	char memory[32], threads[16];
	const char *const settings[][2] = {
		{ "memory_limit", memory },
		{ "threads", threads },
		{ "checkpoint_threshold", DUCKDB_LOG_LIMIT_TEXT },
		{ "storage_compatibility_version", "latest" },
		{ "zstd_min_string_length", "1073741824" },
		{ "autoinstall_known_extensions", "false" },
		{ "autoload_known_extensions", "false" },
		{ "allow_community_extensions", "false" },
	};

	snprintf(memory, sizeof(memory), "%" PRIu64 "B", memory_of(options));
	snprintf(threads, sizeof(threads), "%u", duckdb_threads(options));
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		if (settings[i][1] && duckdb_set_config(config, settings[i][0], settings[i][1]))
			return error_set(err, -EINVAL, "DuckDB refuses %s = %s", settings[i][0],
					 settings[i][1]);
	return 0;
}

/* A text as a literal of SQL. */
static void write_literal(struct buffer *sql, const char *text)
{
	buffer_append_char(sql, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			buffer_append_char(sql, '\'');
		buffer_append_char(sql, *text);
	}
	buffer_append_char(sql, '\'');
}

/* Before any other statement. A setting of DuckDB's configuration takes no list of folders. */
static int lock(duckdb_connection connection, const struct store_options *options,
		struct error *err)
{
	CLEANUP(freep) char *folder = duckdb_work_folder(options->path);
	CLEANUP(buffer_clear) struct buffer sql = { 0 };

	buffer_init(&sql, 0);
	/* A query that needs more memory writes to the disk: the series of a run with 200,000
	 * executions take a gigabyte. (DuckDB 1.5 shows this setting also when it is given with the
	 * configuration, but does not keep to it.) */
	buffer_printf(&sql, "SET max_temp_directory_size = '%" PRIu64 "B'; ",
		      TEMPORARY_TIMES * memory_of(options));
	buffer_append_text(&sql, "SET allowed_directories = [");
	write_literal(&sql, folder ? folder : "");
	if (options->archive_folder && *options->archive_folder) {
		buffer_append_text(&sql, ", ");
		write_literal(&sql, options->archive_folder);
	}
	buffer_append_text(&sql, "]; SET enable_external_access = false; " DUCKDB_LOG_MERGE
				 "; SET allowed_configs = ['max_vacuum_tasks']; "
				 "SET lock_configuration = true");
	if (!folder || sql.failed)
		return error_set(err, -ENOMEM, "no memory to open the store");
	return duckdb_run(connection, sql.data, "the store cannot be locked", err);
}

/* What holds for each connection. */
static int prepare_database(duckdb_database database, const struct store_options *options,
			    struct error *err)
{
	duckdb_connection connection;
	int rc;

	if (duckdb_connect(database, &connection) == DuckDBError)
		return error_set(err, -ENOMEM, "no memory to connect to the store");
	rc = lock(connection, options, err);
	if (!rc)
		rc = duckdb_functions_register(connection, err);
	if (!rc)
		rc = duckdb_machine_price_register(connection, &options->prices, err);
	duckdb_disconnect(&connection);
	return rc;
}

static int refuse(const char *path, const char *words, struct error *err)
{
	if (is_damage(words))
		return error_set(
			err, -EIO,
			"the store %s is damaged: keep the file, and restore the last "
			"backup (tracer-lake restore FILE, docs/operate.md). DuckDB says: %s",
			path, words);
	return error_set(err, -EIO,
			 "cannot open the store %s: %s. Is another tracer-lake using it?", path,
			 words);
}

int duckdb_open_store(duckdb_database *ret, const struct store_options *options, struct error *err)
{
	duckdb_config config = NULL;
	char *words = NULL;
	int rc;

	if (duckdb_create_config(&config) == DuckDBError)
		return error_set(err, -ENOMEM, "no memory to open the store");
	rc = configure(config, options, err);
	if (!rc && duckdb_open_ext(options->path, ret, config, &words) == DuckDBError)
		rc = refuse(options->path, words ? words : "unknown", err);
	duckdb_free(words);
	duckdb_destroy_config(&config);
	return rc ? rc : prepare_database(*ret, options, err);
}
