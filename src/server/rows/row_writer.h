/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/buffer.h"
#include "server/rows/cell.h"

/*
 * Writes an answer in one of several formats. An answer has fields, groups of fields, and lists of
 * rows; every row of a list has the columns that the list began with. Every list of the API goes
 * through this interface. A new format is a file row_writer_NAME.c and a line in the table of
 * row_writer.c. Memory that runs out sets out->failed, which the caller checks at the end.
 */

struct row_column {
	const char *name;
	enum store_type type; /* of its cells that have a value; STORE_NULL: not known */
};

struct row_writer;

/* The operations of a format. A format that holds one table and nothing beside it (CSV) leaves the
 * members from answer_begin to field NULL: their content is left out of the answer. */
struct row_format {
	const char *name;
	const char *media_type; /* of the answer: the Content-Type */
	void (*answer_begin)(struct row_writer *writer);
	void (*answer_end)(struct row_writer *writer);
	void (*group_begin)(struct row_writer *writer, const char *name);
	void (*group_end)(struct row_writer *writer);
	void (*field)(struct row_writer *writer, const char *name, const struct cell *cell);
	/* A list: its columns are writer->columns from begin to end. */
	void (*begin)(struct row_writer *writer, const char *name);
	void (*row)(struct row_writer *writer, const struct cell *cells);
	void (*end)(struct row_writer *writer);
};

extern const struct row_format ROW_FORMAT_JSON;
extern const struct row_format ROW_FORMAT_CSV; /* of routes of their own */
/* All formats; the first is the one of a request that names none. */
extern const struct row_format *const ROW_FORMATS[];
extern const size_t ROW_FORMATS_COUNT;

#define ROW_FORMAT_STATE 64 /* bytes that a format may keep in the writer */

struct row_writer {
	const struct row_format *format;
	struct buffer *out;
	const struct row_column *columns; /* of the current list; the caller's */
	size_t columns_count;
	_Alignas(16) unsigned char state[ROW_FORMAT_STATE]; /* zeroed at first */
};

/* Begins and ends an answer in `out`. */
void row_writer_begin(struct row_writer *writer, const struct row_format *format,
		      struct buffer *out);
void row_writer_end(struct row_writer *writer);
/* Instead of both: a single list without a name (NULL) follows, and nothing else. */
void row_writer_init(struct row_writer *writer, const struct row_format *format,
		     struct buffer *out);

/* A list, from its first row to its last; columns stay valid until its end. */
void row_list_begin(struct row_writer *writer, const char *name, const struct row_column *columns,
		    size_t count);
/* One row, its cells in the order of the columns. */
void row_list_add(struct row_writer *writer, const struct cell *cells, size_t count);
void row_list_end(struct row_writer *writer);

/* The same of arrays. */
#define ROW_LIST_BEGIN(writer, name, columns) \
	row_list_begin((writer), (name), (columns), sizeof(columns) / sizeof((columns)[0]))
#define ROW_LIST_ADD(writer, cells) \
	row_list_add((writer), (cells), sizeof(cells) / sizeof((cells)[0]))

/* Fields beside the lists, alone or in a named group, which may contain lists. */
void row_field(struct row_writer *writer, const char *name, struct cell cell);
void row_group_begin(struct row_writer *writer, const char *name);
void row_group_end(struct row_writer *writer);
