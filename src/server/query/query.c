/* SPDX-License-Identifier: Apache-2.0 */
#include "server/query/query.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "server/http/reply.h"
#include "server/server.h"

/* A page that grew as large ends there, though more rows were asked for. */
#define PAGE_BYTES (REPLY_LIMIT / 2)

/* What a handler says of a query that failed. */
static int failed(int rc, const char *query, const struct error *words, struct error *err)
{
	if (rc == -ETIMEDOUT || rc == -ECANCELED)
		return error_set(err, rc, "%s", error_text(words));
	return error_set(err, -EIO, "query %s: %s", query, error_text(words));
}

int ask(struct server *server, const char *query, const struct store_param *params, size_t count,
	struct store_rows **ret, struct error *err)
{
	struct error words = { "" };
	int rc = store_query(server->store, query, params, count, ret, &words);

	return rc ? failed(rc, query, &words, err) : 0;
}

int ask_some(struct server *server, const char *query, struct store_param *params, size_t count,
	     int64_t *limit, struct store_rows **ret, struct error *err)
{
	struct error words = { "" };
	int rc;

	do {
		/* One row more than asked for tells whether there is a next page. */
		params[count - 1].i64 = *limit + 1;
		rc = store_query(server->store, query, params, count, ret, &words);
	} while ((rc == -EMSGSIZE || rc == -ENOMEM) && (*limit /= 8) > 0);
	return rc ? failed(rc, query, &words, err) : 0;
}

static void write_row(struct json *json, const struct store_rows *rows, ask_more *more,
		      const void *context)
{
	json_object_begin(json);
	store_row_fields(rows, json);
	if (more)
		more(rows, json, context);
	json_object_end(json);
}

void ask_list(struct json *json, const char *key, struct store_rows *rows, ask_more *more,
	      const void *context)
{
	json_key(json, key);
	json_array_begin(json);
	while (store_next(rows))
		write_row(json, rows, more, context);
	json_array_end(json);
}

void ask_page(struct json *json, const char *key, struct store_rows *rows, int64_t limit,
	      ask_more *more, const void *context)
{
	CLEANUP(buffer_clear) struct buffer cursor = { 0 };
	int64_t count = 0;
	bool left;

	buffer_init(&cursor, 0);
	json_key(json, key);
	json_array_begin(json);
	while ((left = store_next(rows)) && count++ < limit && json->out->len < PAGE_BYTES) {
		write_row(json, rows, more, context);
		buffer_reset(&cursor);
		buffer_append_text(&cursor, ask_text(rows, STORE_CURSOR));
	}
	json_array_end(json);
	json_key(json, "next");
	json_text(json, left ? cursor.data : NULL);
}

static void write_time(const struct store_rows *rows, size_t column, struct json *json)
{
	char text[CLOCK_TEXT_SIZE];

	json_text(json, clock_format(store_i64(rows, column), text));
}

void ask_value(const struct store_rows *rows, size_t column, struct json *json)
{
	enum store_type type = store_column_type(rows, column);

	if (type == STORE_NULL || store_is_null(rows, column))
		json_none(json);
	else if (type == STORE_TEXT)
		json_text(json, store_text(rows, column));
	else if (type == STORE_JSON)
		json_raw(json, store_text(rows, column), strlen(store_text(rows, column)));
	else if (type == STORE_TIME)
		write_time(rows, column, json);
	else if (type == STORE_DOUBLE)
		json_double(json, store_double(rows, column));
	else if (type == STORE_BOOL)
		json_bool(json, store_bool(rows, column));
	else
		json_i64(json, store_i64(rows, column));
}

/* The column, or -1: absent, or null in this row. */
static int find(const struct store_rows *rows, const char *name)
{
	int column = store_column(rows, name);

	return column >= 0 && !store_is_null(rows, (size_t)column) ? column : -1;
}

const char *ask_text(const struct store_rows *rows, const char *column)
{
	int at = find(rows, column);

	return at < 0 ? "" : store_text(rows, (size_t)at);
}

char *ask_copy(const struct store_rows *rows, const char *column)
{
	return strdup(ask_text(rows, column));
}

int64_t ask_i64(const struct store_rows *rows, const char *column)
{
	int at = find(rows, column);

	return at < 0 ? 0 : store_i64(rows, (size_t)at);
}

bool ask_bool(const struct store_rows *rows, const char *column)
{
	int at = find(rows, column);

	return at >= 0 && store_bool(rows, (size_t)at);
}

double ask_double(const struct store_rows *rows, const char *column)
{
	int at = find(rows, column);

	return at < 0 ? 0 : store_double(rows, (size_t)at);
}

void ask_time(struct json *json, const char *key, int64_t at)
{
	char text[CLOCK_TEXT_SIZE];

	json_key(json, key);
	json_text(json, at ? clock_format(at, text) : NULL);
}

void ask_bucket_times(const struct store_rows *rows, struct json *json, const void *context)
{
	int64_t at = ask_i64(rows, "at");

	ask_time(json, "since_at", at);
	ask_time(json, "until_at", at + (int64_t)(ask_double(rows, "sample_s") * (double)NS_PER_S));
}
