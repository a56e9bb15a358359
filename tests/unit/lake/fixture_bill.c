/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_bill.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <duckdb.h>
#include <openssl/sha.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "lake/store/import/store_import.h"

#define BILLS        TESTS_DIR "/data/bills/"
#define UNPACKED_MAX (64u << 20)

int bill_setup(void **state)
{
	static char *const INSTANCES[] = { "i-0aaaaaaaaaaaaaaa1", "i-0bbbbbbbbbbbbbbb2",
					   "i-0ccccccccccccccc3", "i-1aaaaaaaaaaaaaaa1",
					   "i-1bbbbbbbbbbbbbbb2", "1234567890123456789" };
	int rc = lake_setup(state);

	for (size_t i = 0; !rc && i < sizeof(INSTANCES) / sizeof(INSTANCES[0]); i++) {
		struct made made;
		Signal__Host *host;

		made_init(&made, 1);
		made.batch.host_id = INSTANCES[i];
		host = made_add(&made, "hosts");
		host->instance_id = INSTANCES[i];
		lake_store(*state, &made);
	}
	return rc;
}

static void replace_all(struct buffer *to, const char *bytes, size_t len,
			const struct bill_change *change)
{
	size_t from_len = strlen(change->from);

	while (len) {
		if (len >= from_len && memcmp(bytes, change->from, from_len) == 0) {
			buffer_append_text(to, change->to);
			bytes += from_len;
			len -= from_len;
		} else {
			buffer_append_char(to, *bytes++);
			len--;
		}
	}
}

void bill_read(const char *name, const struct bill_change *change, char **ret, size_t *ret_len)
{
	char path[512], *bytes;
	size_t len;

	snprintf(path, sizeof(path), "%s%s", *name == '/' ? "" : BILLS, name);
	assert_int_equal(file_read(AT_FDCWD, path, UNPACKED_MAX, &bytes, &len), 0);
	if (change && change->from) {
		struct buffer changed = { 0 };

		buffer_init(&changed, UNPACKED_MAX);
		replace_all(&changed, bytes, len, change);
		free(bytes);
		bytes = changed.data;
		len = changed.len;
	}
	*ret = bytes;
	*ret_len = len - (change ? change->cut : 0);
}

static void hash_of(const void *bytes, size_t len, char hash[65])
{
	unsigned char digest[SHA256_DIGEST_LENGTH];

	SHA256(bytes, len, digest);
	for (size_t i = 0; i < sizeof(digest); i++)
		snprintf(hash + 2 * i, 3, "%02x", digest[i]);
}

int bill_import_bytes(struct lake *lake, const void *bytes, size_t len, const char *batch,
		      int64_t parts, struct error *err)
{
	char path[128], hash[65];
	struct store_rows *rows = NULL;
	int rc;

	hash_of(bytes, len, hash);
	snprintf(path, sizeof(path), "%s/bill.file", lake->folder);
	assert_int_equal(file_write(path, bytes, len, 0600, NULL), 0);
	const struct store_param params[] = {
		{ .name = "hash", .type = STORE_TEXT, .text = hash },
		{ .name = "name", .type = STORE_TEXT, .text = "it's a bill.csv" },
		{ .name = "batch", .type = STORE_TEXT, .text = batch ? batch : hash },
		{ .name = "parts", .type = STORE_I64, .i64 = parts },
		{ .name = "bytes", .type = STORE_I64, .i64 = (int64_t)len },
	};
	const struct store_import import = { .kind = "bill",
					     .path = path,
					     .params = params,
					     .count = sizeof(params) / sizeof(params[0]),
					     .unpacked_limit = UNPACKED_MAX };

	rc = store_import(lake->store, &import, &rows, err);
	if (!rc) {
		assert_true(store_next(rows));
		assert_int_equal(strlen(store_text(rows, (size_t)store_column(rows, "id"))), 16);
	}
	store_rows_free(rows);
	unlink(path);
	return rc;
}

int bill_import(struct lake *lake, const char *name, const struct bill_change *change,
		struct error *err)
{
	CLEANUP(freep) char *bytes = NULL;
	size_t len;

	bill_read(name, change, &bytes, &len);
	return bill_import_bytes(lake, bytes, len, NULL, 1, err);
}

void bill_store(struct lake *lake, const char *name, const struct bill_change *change)
{
	struct error err = { "" };

	if (bill_import(lake, name, change, &err))
		fail_msg("%s: %s", name, error_text(&err));
}

void bill_refuse(struct lake *lake, const char *name, const struct bill_change *change, int code,
		 const char *words)
{
	CLEANUP(freep) char *before = strdup(lake_query(lake, "bills", "bill=", "id lines"));
	struct error err = { "" };
	int rc = bill_import(lake, name, change, &err);

	if (rc != code || !strstr(error_text(&err), words))
		fail_msg("%s: %d, \"%s\", not %d, \"%s\"", name, rc, error_text(&err), code, words);
	assert_string_equal(lake_query(lake, "bills", "bill=", "id lines"), before);
}

char *bill_as_parquet(struct lake *lake, const char *name)
{
	duckdb_database database;
	duckdb_connection connection;
	duckdb_result result;
	char sql[1024], *path;

	assert_true(asprintf(&path, "%s/bill.parquet", lake->folder) > 0);
	snprintf(
		sql, sizeof(sql),
		"COPY (SELECT * REPLACE (BilledCost::DOUBLE AS BilledCost, EffectiveCost::DOUBLE AS "
		"EffectiveCost, ChargePeriodStart::TIMESTAMP AS ChargePeriodStart, MAP{'a': 'b'} AS "
		"Tags) FROM read_csv('" BILLS "%s', all_varchar = true)) TO '%s' (FORMAT parquet)",
		name, path);
	assert_int_equal(duckdb_open(NULL, &database), DuckDBSuccess);
	assert_int_equal(duckdb_connect(database, &connection), DuckDBSuccess);
	if (duckdb_query(connection, sql, &result) == DuckDBError)
		fail_msg("%s", duckdb_result_error(&result));
	duckdb_destroy_result(&result);
	duckdb_disconnect(&connection);
	duckdb_close(&database);
	return path;
}

const char *bill_last(struct lake *lake)
{
	static char id[17];

	snprintf(id, sizeof(id), "%.16s", lake_query(lake, "bills", "bill=", "id"));
	return id;
}
