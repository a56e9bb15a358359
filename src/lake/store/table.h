/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/error.h"
#include "signal.pb-c.h"

/*
 * The tables of an engine: each repeated message of Batch is a table of that name, each field of
 * the message, and of its Figures, a column of that name; host_id, boot_id, agent_id, sequence and
 * created_at are fields of the batch itself. No engine knows more about any message.
 *
 * Samples, by far the most records, are narrow: their figures are one value, and numbers that the
 * engine assigns (struct table_numbers) stand for the texts of their execution and their batch.
 */
#define TABLE_KEYS_MAX 7

struct table {
	const char *name;
	/* The columns of the key: a later record replaces an earlier one. None: each record is a
	 * row. */
	const char *keys[TABLE_KEYS_MAX + 1];
	const char *message; /* the field of Batch; NULL: it has the table's name */
	/* It lacks fields of the message: numbers stand for them. */
	_Bool part;
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

/* What an engine assigns to a record. Columns of these names are no fields of any message. */
struct table_numbers {
	int64_t batch_key;     /* of the batch, in the ledger */
	int64_t execution_key; /* of the execution that the record is of; else 0 */
	int64_t sample_key;    /* of a sample; else 0 */
};

/* What a column is read from. */
enum column_owner { COLUMN_OF_BATCH, COLUMN_OF_RECORD, COLUMN_OF_FIGURES, COLUMN_OF_NUMBERS };

struct column {
	enum column_owner owner;
	const ProtobufCFieldDescriptor *field; /* NULL: COLUMN_OF_NUMBERS */
	size_t offset;                         /* of the number in struct table_numbers */
};

/* -ENOENT: neither the table's message, nor Figures within it, nor the batch has such a field, and
 * it is no number. */
int table_column(const struct table *table, const char *name, struct column *ret);
/* The message that has the field of a column that is no number. Never NULL: missing figures are
 * zeros. */
const void *column_owner(const struct column *column, const Signal__Batch *batch,
			 const ProtobufCMessage *record);

struct map_text_key;
/* Calls visit with the key of each record of the batch, in a table that has a key, until it returns
 * other than 0, which is then returned. -ENOMEM. */
int table_visit_keys(const struct table *table, const Signal__Batch *batch,
		     int (*visit)(const struct map_text_key *key, void *context), void *context);
/* Sets ret[i] for the last record of each key; for all records where the table has no key.
 * -ENOMEM. */
int table_last_of_each(const struct table *table, const Signal__Batch *batch, _Bool *ret);
