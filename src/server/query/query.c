/* SPDX-License-Identifier: Apache-2.0 */
#include "server/query/query.h"

#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "server/server.h"

/* The error that a handler returns when a query failed. */
static int failed(int rc, const char *query, const struct error *words, struct error *err)
{
	if (rc == -ENOMEM)
		return error_set(err, -EAGAIN,
				 "the memory of the store was too small for this answer now "
				 "(tracer-lake --memory-limit); ask again later, or for less");
	if (rc == -EREMOTEIO) { /* words for who runs the lake */
		log_warning("query %s: %s", query, error_text(words));
		return error_set(err, -EAGAIN, "%s", error_text(words));
	}
	if (rc == -ETIMEDOUT || rc == -ECANCELED || rc == -EAGAIN)
		return error_set(err, rc, "%s", error_text(words));
	return error_set(err, -EIO, "query %s: %s", query, error_text(words));
}

int query_named(struct server *server, const char *query, const struct store_param *params,
		size_t count, struct store_rows **ret, struct error *err)
{
	struct error words = { "" };
	int rc = store_query(server->store, query, params, count, ret, &words);

	return rc ? failed(rc, query, &words, err) : 0;
}

int query_page(struct server *server, const char *query, struct store_param *params, size_t count,
	       int64_t *limit, struct store_rows **ret, struct error *err)
{
	struct error words = { "" };
	int rc;

	do {
		/* A row beyond the page means that another page follows. */
		params[count - 1].i64 = *limit + 1;
		rc = store_query(server->store, query, params, count, ret, &words);
	} while ((rc == -EMSGSIZE || rc == -ENOMEM) && (*limit /= 8) > 0);
	return rc ? failed(rc, query, &words, err) : 0;
}

/* The column, or -1: absent, or null in this row. */
static int find(const struct store_rows *rows, const char *name)
{
	int column = store_column(rows, name);

	return column >= 0 && !store_is_null(rows, (size_t)column) ? column : -1;
}

const char *row_text(const struct store_rows *rows, const char *column)
{
	int at = find(rows, column);

	return at < 0 ? "" : store_text(rows, (size_t)at);
}

bool row_is_null(const struct store_rows *rows, const char *column)
{
	return find(rows, column) < 0;
}

char *row_copy_text(const struct store_rows *rows, const char *column)
{
	return strdup(row_text(rows, column));
}

int64_t row_i64(const struct store_rows *rows, const char *column)
{
	int at = find(rows, column);

	return at < 0 ? 0 : store_i64(rows, (size_t)at);
}

bool row_bool(const struct store_rows *rows, const char *column)
{
	int at = find(rows, column);

	return at >= 0 && store_bool(rows, (size_t)at);
}

double row_double(const struct store_rows *rows, const char *column)
{
	int at = find(rows, column);

	return at < 0 ? 0 : store_double(rows, (size_t)at);
}
