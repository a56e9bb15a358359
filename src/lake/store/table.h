/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/error.h"
#include "signal.pb-c.h"

/*
 * The tables of an engine: each repeated message of Batch is a table of that name, each field of
 * the message, and of its Figures, a column of that name; host_id, boot_id, agent_id, sequence and
 * created_at are fields of the batch itself. No engine knows more about any message.
 */
#define TABLE_KEYS_MAX 7

struct table {
	const char *name;
	/* The columns of the key: a later record replaces an earlier one. None: each record is a
	 * row. */
	const char *keys[TABLE_KEYS_MAX + 1];
};

#define TABLES_COUNT 21
/* In the order in which they are written. */
extern const struct table TABLES[TABLES_COUNT];

/* The messages of a batch for a table. */
ProtobufCMessage *const *table_messages(const struct table *table, const Signal__Batch *batch,
					size_t *ret_count);
/* The type of these messages. */
const ProtobufCMessageDescriptor *table_descriptor(const struct table *table);

/* Whether records of the table are stored under the run that theirs is a part of (merged_runs.h):
 * those with a run_id, but runs and their links. */
_Bool table_has_run(const struct table *table);

/* The message that a column is read from. */
enum column_owner { COLUMN_OF_BATCH, COLUMN_OF_RECORD, COLUMN_OF_FIGURES };

struct column {
	enum column_owner owner;
	const ProtobufCFieldDescriptor *field;
};

/* -ENOENT: neither the table's message, nor Figures within it, nor the batch has such a field. */
int table_column(const struct table *table, const char *name, struct column *ret);
/* The message that has the field of the column. Never NULL: missing figures are zeros. */
const void *column_owner(const struct column *column, const Signal__Batch *batch,
			 const ProtobufCMessage *record);

/* Sets ret[i] for the last record of each key; for all records where the table has no key.
 * -ENOMEM. */
int table_last_of_each(const struct table *table, const Signal__Batch *batch, _Bool *ret);
