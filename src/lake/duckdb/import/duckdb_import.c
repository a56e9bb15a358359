/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/import/duckdb_import.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/owned.h"
#include "lake/duckdb/duckdb_engine.h"
#include "lake/duckdb/change/duckdb_statements.h"
#include "lake/duckdb/duckdb_watch.h"
#include "lake/duckdb/import/import_file.h"
#include "lake/duckdb/import/import_sandbox.h"
#include "lake/duckdb/keep/duckdb_mark.h"
#include "lake/duckdb/keep/duckdb_open.h"

static const struct import_kind *const KINDS[] = { &IMPORT_BILL, &IMPORT_PRICES, &IMPORT_HOST_PRICE,
						   &IMPORT_INVENTORY };

static const struct import_kind *find_kind(const char *name)
{
	for (size_t i = 0; i < sizeof(KINDS) / sizeof(KINDS[0]); i++)
		if (strcmp(KINDS[i]->name, name) == 0)
			return KINDS[i];
	return NULL;
}

/* An import that is being read: its own files in the work folder. */
struct importing {
	const struct import_kind *kind;
	char *work, *from; /* folders */
	char *unpacked, *rows;
};

static void importing_clear(struct importing *importing)
{
	if (importing->unpacked)
		unlink(importing->unpacked);
	free(importing->work);
	free(importing->from);
	free(importing->unpacked);
	free(importing->rows);
}

static int name_files(struct importing *importing, const char *path)
{
	static atomic_uint last;
	unsigned number = ++last;
	char *slash;

	importing->from = strdup(path);
	if (!importing->work || !importing->from)
		return -ENOMEM;
	slash = strrchr(importing->from, '/');
	if (slash)
		*slash = '\0';
	if (asprintf(&importing->unpacked, "%s/import%u.file", importing->work, number) < 0) {
		importing->unpacked = NULL;
		return -ENOMEM;
	}
	if (asprintf(&importing->rows, "%s/import%u.parquet", importing->work, number) < 0) {
		importing->rows = NULL;
		return -ENOMEM;
	}
	return 0;
}

static int prepare(struct duckdb_engine *engine, const struct store_import *import,
		   struct importing *importing, struct error *err)
{
	int rc;

	importing->kind = find_kind(import->kind);
	if (!importing->kind)
		return error_set(err, -ENOENT, "there is no import of '%s'", import->kind);
	importing->work = duckdb_work_folder(duckdb_mark_path(engine->mark));
	if (name_files(importing, import->path))
		return error_set(err, -ENOMEM, "no memory to read the file");
	rc = owned_check(importing->work, OWNED_FOLDER, err);
	if (!rc)
		rc = file_make_folder(importing->work, 0700, err);
	if (!rc) {
		unlink(importing->rows);
		unlink(importing->unpacked);
	}
	return rc;
}

/* *ret_path: of the file as it is read. */
static int unpack(const struct store_import *import, const struct importing *importing,
		  const char **ret_path, struct error *err)
{
	bool packed = false;
	int rc = import_file_is_packed(import->path, &packed, err);

	*ret_path = packed ? importing->unpacked : import->path;
	if (rc || !packed)
		return rc;
	return import_file_unpack(import->path, importing->unpacked, import->unpacked_limit, err);
}

static int read_apart(struct duckdb_engine *engine, const struct importing *importing,
		      const char *path, struct error *err)
{
	struct import_sandbox sandbox;
	struct duckdb_watched query;
	struct error words = { "" };
	int rc = import_sandbox_open(&sandbox, importing->from, importing->work, err);

	if (rc)
		return rc;
	duckdb_watch_begin_long(engine->watch, &query, sandbox.connection);
	rc = importing->kind->read(sandbox.connection, path, importing->rows, &words);
	if (rc && err)
		*err = words;
	if (duckdb_watch_end(engine->watch, &query, rc ? -EIO : 0, &words) == -ECANCELED)
		rc = error_set(err, -ECANCELED, "%s", error_text(&words));
	import_sandbox_close(&sandbox);
	return rc;
}

int duckdb_import_read(void *context, const struct store_import *import, char **ret_rows,
		       struct error *err)
{
	CLEANUP(importing_clear) struct importing importing = { 0 };
	struct duckdb_engine *engine = context;
	const char *path = NULL;
	int rc = prepare(engine, import, &importing, err);

	if (!rc)
		rc = unpack(import, &importing, &path, err);
	if (!rc)
		rc = read_apart(engine, &importing, path, err);
	if (rc) {
		if (importing.rows)
			unlink(importing.rows);
		return rc;
	}
	*ret_rows = TAKE_PTR(importing.rows);
	return 0;
}

static int refuse(duckdb_connection connection, const struct import_kind *kind,
		  const struct store_import *import, struct error *err)
{
	struct store_rows *rows = NULL;
	int rc = duckdb_query_named(connection, kind->refusal, import->params, import->count, &rows,
				    err);

	if (!rc && store_next(rows))
		rc = error_set(err, -EEXIST, "the file is not stored: %s", store_text(rows, 0));
	store_rows_free(rows);
	return rc;
}

static int name_rows(duckdb_connection connection, const char *rows, struct error *err)
{
	CLEANUP(buffer_clear) struct buffer sql = { 0 };

	buffer_init(&sql, 0);
	buffer_printf(&sql, "CREATE OR REPLACE TEMP VIEW import_rows AS FROM read_parquet('%s')",
		      rows);
	return sql.failed ? error_set(err, -ENOMEM, "no memory to store the file")
			  : duckdb_run(connection, sql.data, "the file is not stored", err);
}

static int write_all(duckdb_connection connection, const struct store_import *import,
		     const char *rows, struct store_rows **ret, struct error *err)
{
	const struct import_kind *kind = find_kind(import->kind);
	int rc = refuse(connection, kind, import, err);

	if (!rc)
		rc = name_rows(connection, rows, err);
	if (!rc)
		rc = duckdb_run_statements(connection, kind->write, import->params, import->count,
					   err);
	if (!rc)
		rc = duckdb_query_named(connection, kind->answer, import->params, import->count,
					ret, err);
	if (!rc)
		rc = duckdb_run(connection, "DROP VIEW import_rows", "the file is not stored", err);
	return rc;
}

int duckdb_import_write(void *context, const struct store_import *import, const char *rows,
			struct store_rows **ret, struct error *err)
{
	struct duckdb_engine *engine = context;
	duckdb_connection connection = duckdb_writer_connection(engine->writer);
	struct store_rows *answer = NULL;
	int rc = duckdb_run(connection, "BEGIN", "the store cannot begin", err);

	if (rc)
		return rc;
	rc = write_all(connection, import, rows, &answer, err);
	if (!rc)
		rc = duckdb_run(connection, "COMMIT", "the store cannot commit", err);
	if (rc) {
		duckdb_run(connection, "ROLLBACK", "rollback", NULL);
		store_rows_free(answer);
		return rc;
	}
	*ret = answer;
	return 0;
}
