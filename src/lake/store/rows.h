/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "lake/store/store.h"

/*
 * How an engine builds the answer of a query: it names the columns, then appends cell after cell,
 * row after row. Answers are held in memory; a larger one than ROWS_LIMIT fails, none is cut.
 */
#define ROWS_LIMIT (64u << 20) /* bytes of cells, and bytes of texts */

struct store_rows *rows_new(size_t columns); /* NULL: no memory */
/* -ENOMEM. */
int rows_set_column(struct store_rows *rows, size_t column, const char *name, enum store_type type);

void rows_put_null(struct store_rows *rows);
void rows_put_i64(struct store_rows *rows, int64_t value); /* also STORE_TIME, ns */
void rows_put_double(struct store_rows *rows, double value);
void rows_put_bool(struct store_rows *rows, bool value);
void rows_put_text(struct store_rows *rows, const char *text, size_t len); /* also STORE_JSON */
/* After the last cell. -EMSGSIZE with words: larger than ROWS_LIMIT, or no memory; -EAGAIN: more
 * than the budget of the thread's store_reader has left. */
int rows_finish(struct store_rows *rows, struct error *err);
