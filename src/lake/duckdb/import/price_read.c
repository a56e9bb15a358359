/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "lake/duckdb/duckdb_engine.h"
#include "lake/duckdb/import/duckdb_import.h"

/*
 * Price lists: CSV that the server made of the file (cloud/prices/price_file.h), so that
 * its values are known to be in bounds; and corrections of the price of one host, of which all is
 * in the parameters.
 */
extern const char duckdb_sql_import_prices_write[];
extern const char duckdb_sql_import_host_price_write[];

#define NO_REFUSAL "SELECT '' WHERE false"

static int copy_to(duckdb_connection sandbox, const char *query, const char *rows,
		   struct error *err)
{
	CLEANUP(buffer_clear) struct buffer sql = { 0 };

	buffer_init(&sql, 0);
	buffer_printf(&sql, "COPY (%s) TO '%s' (FORMAT parquet)", query, rows);
	return sql.failed ? error_set(err, -ENOMEM, "no memory to read the prices")
			  : duckdb_run(sandbox, sql.data, "the prices are not stored", err);
}

/* A machine that is in the list twice costs the larger price. */
static int read_prices(duckdb_connection sandbox, const char *path, const char *rows,
		       struct error *err)
{
	CLEANUP(buffer_clear) struct buffer query = { 0 };

	buffer_init(&query, 0);
	buffer_printf(&query,
		      "SELECT provider, region, instance_type, purchase, max(usd_hour) AS usd_hour "
		      "FROM read_csv('%s', auto_detect = false, header = true, delim = ',', "
		      "quote = '', escape = '', columns = {'provider': 'VARCHAR', 'region': "
		      "'VARCHAR', 'instance_type': 'VARCHAR', 'purchase': 'VARCHAR', "
		      "'usd_hour': 'DOUBLE'}) GROUP BY ALL",
		      path);
	return query.failed ? error_set(err, -ENOMEM, "no memory to read the prices")
			    : copy_to(sandbox, query.data, rows, err);
}

static int read_correction(duckdb_connection sandbox, const char *path, const char *rows,
			   struct error *err)
{
	(void)path;
	return copy_to(sandbox, "SELECT 1 AS corrections", rows, err);
}

const struct import_kind IMPORT_PRICES = {
	.name = "prices",
	.read = read_prices,
	.refusal = NO_REFUSAL,
	.write = duckdb_sql_import_prices_write,
	.answer = "SELECT (SELECT count(*) FROM import_rows) AS prices, (SELECT count(*) FROM "
		  "host_prices WHERE recorded_at = recorded_from($now) AND reason = 'reported') "
		  "AS hosts",
};

const struct import_kind IMPORT_HOST_PRICE = {
	.name = "host_price",
	.read = read_correction,
	.refusal = NO_REFUSAL,
	.write = duckdb_sql_import_host_price_write,
	.answer = "SELECT count(*) AS prices FROM host_prices WHERE host_id = $host AND "
		  "recorded_at = recorded_from($now)",
};
