/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "lake/duckdb/duckdb_engine.h"
#include "lake/duckdb/import/duckdb_import.h"

/*
 * A listing of machines and volumes: lines of JSON that the server has checked
 * (server/inventory/inventory_rows.h). Of two lines of one machine one counts.
 */
extern const char duckdb_sql_import_inventory_write[];

#define COLUMNS                                                                                                            \
	"{'kind': 'VARCHAR', 'account_id': 'VARCHAR', 'region': 'VARCHAR', 'zone': 'VARCHAR', "                            \
	"'id': 'VARCHAR', 'name': 'VARCHAR', 'hostname': 'VARCHAR', 'type': 'VARCHAR', "                                   \
	"'purchase': 'VARCHAR', 'image': 'VARCHAR', 'state': 'VARCHAR', 'group': 'VARCHAR', "                              \
	"'owner': 'VARCHAR', 'tags': 'JSON', 'launched_at': 'VARCHAR', 'created_at': 'VARCHAR', 'detached_at': 'VARCHAR'," \
	"'bytes': 'BIGINT', 'attached_to': 'VARCHAR', 'what': 'VARCHAR', 'complete': 'BOOLEAN',"                           \
	"'error': 'VARCHAR'}"

static int read_inventory(duckdb_connection sandbox, const char *path, const char *rows,
			  struct error *err)
{
	CLEANUP(buffer_clear) struct buffer sql = { 0 };

	buffer_init(&sql, 0);
	buffer_printf(&sql,
		      "COPY (SELECT DISTINCT ON (kind, account_id, region, id, what) kind, "
		      "account_id, coalesce(region, '') AS region, zone, coalesce(id, '') AS id, "
		      "name, hostname, type, purchase, image, state, \"group\" AS kept_by, owner, "
		      "tags, TRY_CAST(launched_at AS TIMESTAMP) AS launched_at, "
		      "TRY_CAST(created_at AS TIMESTAMP) AS created_at, "
		      "TRY_CAST(detached_at AS TIMESTAMP) AS detached_at, bytes, attached_to, "
		      "CASE WHEN kind = 'listing' THEN 'account' ELSE coalesce(what, '') END AS "
		      "what, complete, error FROM read_json('%s', format = 'newline_delimited', "
		      "columns = " COLUMNS ", maximum_object_size = 65536)) TO '%s' (FORMAT "
		      "parquet)",
		      path, rows);
	return sql.failed ? error_set(err, -ENOMEM, "no memory to read the listing")
			  : duckdb_run(sandbox, sql.data, "the listing is not stored", err);
}

const struct import_kind IMPORT_INVENTORY = {
	.name = "inventory",
	.read = read_inventory,
	.refusal = "SELECT '' WHERE false",
	.write = duckdb_sql_import_inventory_write,
	.answer = "SELECT (SELECT count(*) FROM inventory_machines WHERE account = $account AND "
		  "listed_at = $now) AS machines, (SELECT count(*) FROM inventory_volumes WHERE "
		  "account = $account AND listed_at = $now) AS volumes",
};
