/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_column.h"

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/json.h"
#include "base/text.h"
#include "lake/duckdb/figures/duckdb_figures.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const void *value_of(const ProtobufCFieldDescriptor *field, const void *message)
{
	return (const char *)message + field->offset;
}

static size_t count_of(const ProtobufCFieldDescriptor *field, const void *message)
{
	return *(const size_t *)(const void *)((const char *)message + field->quantifier_offset);
}

static void write_text(duckdb_vector vector, const ProtobufCFieldDescriptor *field,
		       const void *const *messages, idx_t count)
{
	for (idx_t row = 0; row < count; row++) {
		const char *text = *(const char *const *)value_of(field, messages[row]);

		duckdb_vector_assign_string_element(vector, row, text ? text : "");
	}
}

static int64_t cut_u64(uint64_t value)
{
	return value > COLUMN_INTEGER_MAX ? COLUMN_INTEGER_MAX : (int64_t)value;
}

static int64_t cut_i64(int64_t value)
{
	if (value > COLUMN_INTEGER_MAX)
		return COLUMN_INTEGER_MAX;
	return value < -COLUMN_INTEGER_MAX ? -COLUMN_INTEGER_MAX : value;
}

/* A writer for fields of an integer type. */
#define WRITE_INTEGERS(name, type, cut)                                                  \
	static void name(duckdb_vector vector, const ProtobufCFieldDescriptor *field,    \
			 const void *const *messages, idx_t count)                       \
	{                                                                                \
		int64_t *cells = duckdb_vector_get_data(vector);                         \
                                                                                         \
		for (idx_t row = 0; row < count; row++)                                  \
			cells[row] = cut(*(const type *)value_of(field, messages[row])); \
	}

WRITE_INTEGERS(write_u64, uint64_t, cut_u64)
WRITE_INTEGERS(write_i64, int64_t, cut_i64)
WRITE_INTEGERS(write_u32, uint32_t, (int64_t))
WRITE_INTEGERS(write_i32, int32_t, (int64_t))

static void write_bool(duckdb_vector vector, const ProtobufCFieldDescriptor *field,
		       const void *const *messages, idx_t count)
{
	bool *cells = duckdb_vector_get_data(vector);

	for (idx_t row = 0; row < count; row++)
		cells[row] = *(const protobuf_c_boolean *)value_of(field, messages[row]) != 0;
}

static void write_double(duckdb_vector vector, const ProtobufCFieldDescriptor *field,
			 const void *const *messages, idx_t count)
{
	double *cells = duckdb_vector_get_data(vector);

	for (idx_t row = 0; row < count; row++) {
		double value = *(const double *)value_of(field, messages[row]);

		cells[row] = isfinite(value) ? value : 0;
	}
}

/* ns since the epoch, stored as microseconds; 0 or less is NULL. */
static void write_time(duckdb_vector vector, const ProtobufCFieldDescriptor *field,
		       const void *const *messages, idx_t count)
{
	int64_t *cells = duckdb_vector_get_data(vector);

	for (idx_t row = 0; row < count; row++) {
		int64_t ns = *(const int64_t *)value_of(field, messages[row]);

		cells[row] = cut_i64(ns / 1000);
		if (ns > 0)
			continue;
		duckdb_vector_ensure_validity_writable(vector);
		duckdb_validity_set_row_invalid(duckdb_vector_get_validity(vector), row);
	}
}

/* Makes room for a list of `count` in a row; returns where it begins in the vector of elements. */
static idx_t begin_list(duckdb_vector vector, idx_t row, idx_t count)
{
	idx_t begin = duckdb_list_vector_get_size(vector);

	duckdb_list_vector_reserve(vector, begin + count);
	duckdb_list_vector_set_size(vector, begin + count);
	((duckdb_list_entry *)duckdb_vector_get_data(vector))[row] =
		(duckdb_list_entry){ .offset = begin, .length = count };
	return begin;
}

static void write_texts(duckdb_vector vector, const ProtobufCFieldDescriptor *field,
			const void *const *messages, idx_t count)
{
	for (idx_t row = 0; row < count; row++) {
		char *const *texts = *(char *const *const *)value_of(field, messages[row]);
		idx_t len = count_of(field, messages[row]), begin = begin_list(vector, row, len);
		duckdb_vector elements = duckdb_list_vector_get_child(vector);

		for (idx_t i = 0; i < len; i++)
			duckdb_vector_assign_string_element(elements, begin + i,
							    texts[i] ? texts[i] : "");
	}
}

static void write_numbers(duckdb_vector vector, const ProtobufCFieldDescriptor *field,
			  const void *const *messages, idx_t count)
{
	for (idx_t row = 0; row < count; row++) {
		const uint64_t *numbers = *(const uint64_t *const *)value_of(field, messages[row]);
		idx_t len = count_of(field, messages[row]), begin = begin_list(vector, row, len);
		int64_t *cells = duckdb_vector_get_data(duckdb_list_vector_get_child(vector));

		for (idx_t i = 0; i < len; i++)
			cells[begin + i] = cut_u64(numbers[i]);
	}
}

/* Whether a later label has the same key: the last one counts. */
static bool is_repeated(Signal__Label *const *labels, size_t index, size_t count)
{
	for (size_t i = index + 1; i < count; i++)
		if (!strcmp(labels[i]->key, labels[index]->key))
			return true;
	return false;
}

static void write_label_object(duckdb_vector vector, idx_t row,
			       const ProtobufCFieldDescriptor *field, const void *message)
{
	Signal__Label *const *labels = *(Signal__Label *const *const *)value_of(field, message);
	size_t count = count_of(field, message);
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	struct json json;

	buffer_init(&text, 0);
	json_init(&json, &text, false);
	json_object_begin(&json);
	for (size_t i = 0; i < count; i++) {
		if (is_repeated(labels, i, count))
			continue;
		json_key(&json, labels[i]->key);
		json_text(&json, labels[i]->value);
	}
	json_object_end(&json);
	duckdb_vector_assign_string_element_len(vector, row, text.data, text.len);
}

static void write_labels(duckdb_vector vector, const ProtobufCFieldDescriptor *field,
			 const void *const *messages, idx_t count)
{
	for (idx_t row = 0; row < count; row++)
		write_label_object(vector, row, field, messages[row]);
}

/* Which fields (by protobuf type, repeated or not) fit into which columns. */
static const struct {
	ProtobufCType field;
	bool repeated;
	duckdb_type type;
	column_write *write;
} writers[] = {
	{ PROTOBUF_C_TYPE_STRING, false, DUCKDB_TYPE_VARCHAR, write_text },
	{ PROTOBUF_C_TYPE_STRING, true, DUCKDB_TYPE_LIST, write_texts },
	{ PROTOBUF_C_TYPE_UINT64, true, DUCKDB_TYPE_LIST, write_numbers },
	{ PROTOBUF_C_TYPE_UINT32, false, DUCKDB_TYPE_BIGINT, write_u32 },
	{ PROTOBUF_C_TYPE_UINT64, false, DUCKDB_TYPE_BIGINT, write_u64 },
	{ PROTOBUF_C_TYPE_INT32, false, DUCKDB_TYPE_BIGINT, write_i32 },
	{ PROTOBUF_C_TYPE_INT64, false, DUCKDB_TYPE_BIGINT, write_i64 },
	{ PROTOBUF_C_TYPE_INT64, false, DUCKDB_TYPE_TIMESTAMP, write_time },
	{ PROTOBUF_C_TYPE_BOOL, false, DUCKDB_TYPE_BOOLEAN, write_bool },
	{ PROTOBUF_C_TYPE_DOUBLE, false, DUCKDB_TYPE_DOUBLE, write_double },
};

static column_write *write_message(const ProtobufCFieldDescriptor *field, bool repeated,
				   duckdb_type type)
{
	if (repeated && field->descriptor == &signal__label__descriptor &&
	    type == DUCKDB_TYPE_VARCHAR)
		return write_labels;
	if (!repeated && field->descriptor == &signal__figures__descriptor &&
	    type == DUCKDB_TYPE_BLOB)
		return duckdb_figures_write;
	return NULL;
}

column_write *duckdb_column_writer(const ProtobufCFieldDescriptor *field, duckdb_type type)
{
	bool repeated = field->label == PROTOBUF_C_LABEL_REPEATED;

	if (field->type == PROTOBUF_C_TYPE_MESSAGE)
		return write_message(field, repeated, type);
	if ((type == DUCKDB_TYPE_TIMESTAMP) != text_ends_with(field->name, "_at"))
		return NULL;
	for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++)
		if (writers[i].field == field->type && writers[i].repeated == repeated &&
		    writers[i].type == type)
			return writers[i].write;
	return NULL;
}
