/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_column.h"

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/json.h"
#include "base/text.h"

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

static void write_text(duckdb_vector vector, idx_t row, const ProtobufCFieldDescriptor *field,
		       const void *message)
{
	const char *text = *(const char *const *)value_of(field, message);

	duckdb_vector_assign_string_element(vector, row, text ? text : "");
}

static void put_integer(duckdb_vector vector, idx_t row, int64_t value)
{
	((int64_t *)duckdb_vector_get_data(vector))[row] = value;
}

static void put_u64(duckdb_vector vector, idx_t row, uint64_t value)
{
	put_integer(vector, row, value > COLUMN_INTEGER_MAX ? COLUMN_INTEGER_MAX : (int64_t)value);
}

static void write_u64(duckdb_vector vector, idx_t row, const ProtobufCFieldDescriptor *field,
		      const void *message)
{
	put_u64(vector, row, *(const uint64_t *)value_of(field, message));
}

static void write_i64(duckdb_vector vector, idx_t row, const ProtobufCFieldDescriptor *field,
		      const void *message)
{
	int64_t value = *(const int64_t *)value_of(field, message);

	if (value > COLUMN_INTEGER_MAX)
		value = COLUMN_INTEGER_MAX;
	put_integer(vector, row, value < -COLUMN_INTEGER_MAX ? -COLUMN_INTEGER_MAX : value);
}

static void write_u32(duckdb_vector vector, idx_t row, const ProtobufCFieldDescriptor *field,
		      const void *message)
{
	put_integer(vector, row, *(const uint32_t *)value_of(field, message));
}

static void write_i32(duckdb_vector vector, idx_t row, const ProtobufCFieldDescriptor *field,
		      const void *message)
{
	put_integer(vector, row, *(const int32_t *)value_of(field, message));
}

static void write_bool(duckdb_vector vector, idx_t row, const ProtobufCFieldDescriptor *field,
		       const void *message)
{
	((bool *)duckdb_vector_get_data(vector))[row] =
		*(const protobuf_c_boolean *)value_of(field, message) != 0;
}

static void write_double(duckdb_vector vector, idx_t row, const ProtobufCFieldDescriptor *field,
			 const void *message)
{
	double value = *(const double *)value_of(field, message);

	((double *)duckdb_vector_get_data(vector))[row] = isfinite(value) ? value : 0;
}

/* ns since the epoch, stored as microseconds; 0 or less is NULL. */
static void write_time(duckdb_vector vector, idx_t row, const ProtobufCFieldDescriptor *field,
		       const void *message)
{
	int64_t ns = *(const int64_t *)value_of(field, message);

	if (ns > 0) {
		put_integer(vector, row, ns / 1000);
		return;
	}
	duckdb_vector_ensure_validity_writable(vector);
	duckdb_validity_set_row_invalid(duckdb_vector_get_validity(vector), row);
}

static void write_texts(duckdb_vector vector, idx_t row, const ProtobufCFieldDescriptor *field,
			const void *message)
{
	char *const *texts = *(char *const *const *)value_of(field, message);
	idx_t begin = duckdb_list_vector_get_size(vector), count = count_of(field, message);
	duckdb_vector child;

	duckdb_list_vector_reserve(vector, begin + count);
	duckdb_list_vector_set_size(vector, begin + count);
	child = duckdb_list_vector_get_child(vector);
	for (idx_t i = 0; i < count; i++)
		duckdb_vector_assign_string_element(child, begin + i, texts[i] ? texts[i] : "");
	((duckdb_list_entry *)duckdb_vector_get_data(vector))[row] =
		(duckdb_list_entry){ .offset = begin, .length = count };
}

static void write_numbers(duckdb_vector vector, idx_t row, const ProtobufCFieldDescriptor *field,
			  const void *message)
{
	const uint64_t *numbers = *(const uint64_t *const *)value_of(field, message);
	idx_t begin = duckdb_list_vector_get_size(vector), count = count_of(field, message);
	duckdb_vector child;

	duckdb_list_vector_reserve(vector, begin + count);
	duckdb_list_vector_set_size(vector, begin + count);
	child = duckdb_list_vector_get_child(vector);
	for (idx_t i = 0; i < count; i++)
		put_u64(child, begin + i, numbers[i]);
	((duckdb_list_entry *)duckdb_vector_get_data(vector))[row] =
		(duckdb_list_entry){ .offset = begin, .length = count };
}

/* Whether a later label has the same key: the last one counts. */
static bool is_repeated(Signal__Label *const *labels, size_t index, size_t count)
{
	for (size_t i = index + 1; i < count; i++)
		if (!strcmp(labels[i]->key, labels[index]->key))
			return true;
	return false;
}

static void write_labels(duckdb_vector vector, idx_t row, const ProtobufCFieldDescriptor *field,
			 const void *message)
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

column_write *duckdb_column_writer(const ProtobufCFieldDescriptor *field, duckdb_type type)
{
	bool repeated = field->label == PROTOBUF_C_LABEL_REPEATED;

	if (field->type == PROTOBUF_C_TYPE_MESSAGE)
		return repeated && field->descriptor == &signal__label__descriptor &&
				       type == DUCKDB_TYPE_VARCHAR
			       ? write_labels
			       : NULL;
	if ((type == DUCKDB_TYPE_TIMESTAMP) != text_ends_with(field->name, "_at"))
		return NULL;
	for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++)
		if (writers[i].field == field->type && writers[i].repeated == repeated &&
		    writers[i].type == type)
			return writers[i].write;
	return NULL;
}
