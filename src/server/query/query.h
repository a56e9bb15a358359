/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "lake/store/store.h"

struct server;

/* Runs the store's named queries for handlers, and reads columns of their rows by name. */

DEFINE_CLEANUP(struct store_rows *, store_rows_free)

#define PARAM_TEXT(label, value)                                     \
	{                                                            \
		.name = (label), .type = STORE_TEXT, .text = (value) \
	}
#define PARAM_I64(label, value)                                    \
	{                                                          \
		.name = (label), .type = STORE_I64, .i64 = (value) \
	}
/* NULL: no value */
#define PARAM_OPTIONAL(label, value)                                                        \
	{                                                                                   \
		.name = (label), .type = (value) ? STORE_TEXT : STORE_NULL, .text = (value) \
	}
#define PARAM_TIME(label, value)                                    \
	{                                                           \
		.name = (label), .type = STORE_TIME, .i64 = (value) \
	}

/* Runs a query. -ETIMEDOUT, -ECANCELED as of store_query; -EAGAIN: memory is short now; every other
 * failure is the server's fault, not the client's: -EIO with words. */
int query_named(struct server *server, const char *query, const struct store_param *params,
		size_t count, struct store_rows **ret, struct error *err);
/* The same with an array of parameters. */
#define QUERY(server, query, params, ret, err) \
	query_named((server), (query), (params), sizeof(params) / sizeof((params)[0]), (ret), (err))

/* Runs a query that has pages; its last parameter is "limit". Asks for one row more than *limit, so
 * that the caller knows whether another page follows. Where so many rows do not fit into memory it
 * asks for fewer and sets *limit. */
int query_page(struct server *server, const char *query, struct store_param *params, size_t count,
	       int64_t *limit, struct store_rows **ret, struct error *err);
#define QUERY_PAGE(server, query, params, limit, ret, err)                                     \
	query_page((server), (query), (params), sizeof(params) / sizeof((params)[0]), (limit), \
		   (ret), (err))

/* A column of the current row by its name. Where it is null or absent: "", 0 or false. */
const char *row_text(const struct store_rows *rows, const char *column);
int64_t row_i64(const struct store_rows *rows, const char *column);
bool row_bool(const struct store_rows *rows, const char *column);
double row_double(const struct store_rows *rows, const char *column);
/* Whether the column is null or absent. */
bool row_is_null(const struct store_rows *rows, const char *column);
/* A copy of the text, which the caller frees; NULL: no memory. */
char *row_copy_text(const struct store_rows *rows, const char *column);
