/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/json.h"
#include "lake/store/store.h"

struct server;

/* Named queries, for handlers. */

DEFINE_CLEANUP(struct store_rows *, store_rows_free)

#define ASK_TEXT(label, value)                                       \
	{                                                            \
		.name = (label), .type = STORE_TEXT, .text = (value) \
	}
#define ASK_I64(label, value)                                      \
	{                                                          \
		.name = (label), .type = STORE_I64, .i64 = (value) \
	}
/* NULL: no value */
#define ASK_OPTIONAL(label, value)                                                          \
	{                                                                                   \
		.name = (label), .type = (value) ? STORE_TEXT : STORE_NULL, .text = (value) \
	}
#define ASK_TIME(label, value)                                      \
	{                                                           \
		.name = (label), .type = STORE_TIME, .i64 = (value) \
	}

/* Runs a query. -ETIMEDOUT, -ECANCELED as of store_query; whatever else goes wrong is the server's
 * fault, not the client's: -EIO with words. */
int ask(struct server *server, const char *query, const struct store_param *params, size_t count,
	struct store_rows **ret, struct error *err);
#define ASK(server, query, params, ret, err) \
	ask((server), (query), (params), sizeof(params) / sizeof((params)[0]), (ret), (err))

/* The same for a query that can be paged through, whose last parameter is "limit": one row more
 * than *limit is asked for. Where so many do not fit into memory it asks for fewer: *limit. */
int ask_some(struct server *server, const char *query, struct store_param *params, size_t count,
	     int64_t *limit, struct store_rows **ret, struct error *err);
#define ASK_SOME(server, query, params, limit, ret, err)                                     \
	ask_some((server), (query), (params), sizeof(params) / sizeof((params)[0]), (limit), \
		 (ret), (err))

/* What a list adds to each of its rows, in the row's object. */
typedef void ask_more(const struct store_rows *rows, struct json *json, const void *context);

/* Appends "KEY": [rows as objects]. more may be NULL. */
void ask_list(struct json *json, const char *key, struct store_rows *rows, ask_more *more,
	      const void *context);
/* The same with at most limit rows (fewer where they are long), and "next": the cursor of the page
 * behind them, or null. */
void ask_page(struct json *json, const char *key, struct store_rows *rows, int64_t limit,
	      ask_more *more, const void *context);

/* One column's value, as store_row_fields writes it. */
void ask_value(const struct store_rows *rows, size_t column, struct json *json);
/* A text column by name; "" where it is null or absent. */
const char *ask_text(const struct store_rows *rows, const char *column);
/* The same as the caller's own (free()); NULL: no memory. */
char *ask_copy(const struct store_rows *rows, const char *column);
int64_t ask_i64(const struct store_rows *rows, const char *column); /* 0: null or absent */
bool ask_bool(const struct store_rows *rows, const char *column);   /* false: null or absent */
double ask_double(const struct store_rows *rows, const char *column);

/* "KEY": an instant; null: at is 0. */
void ask_time(struct json *json, const char *key, int64_t at);
/* ask_more of samples in buckets ("at", "sample_s"): what was seen of it as "since_at", "until_at".
 */
void ask_bucket_times(const struct store_rows *rows, struct json *json, const void *context);
