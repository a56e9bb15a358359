/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/figures/duckdb_figures.h"

#include "base/varint.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define FIGURES_MAX DUCKDB_FIGURES_MAX
#define PACKED_MAX  DUCKDB_FIGURES_BYTES

#define AHEAD      3 /* rows of which the memory is fetched before */
#define CACHE_LINE 64

#define MESSAGE (&signal__figures__descriptor)

size_t duckdb_figures_put(uint8_t *at, uint32_t number, uint64_t value)
{
	size_t len = varint_put(at, (uint64_t)number << 3); /* wire type 0: a varint */

	return len + varint_put(at + len, value);
}

static size_t pack(const void *figures, uint8_t bytes[PACKED_MAX])
{
	size_t len = 0;

	for (unsigned i = 0; i < MESSAGE->n_fields; i++) {
		const ProtobufCFieldDescriptor *field = &MESSAGE->fields[i];
		uint64_t value;

		memcpy(&value, (const char *)figures + field->offset, sizeof(value));
		if (value)
			len += duckdb_figures_put(bytes + len, field->id, value);
	}
	return len;
}

static const void *figures_of(const void *message, const ProtobufCFieldDescriptor *field)
{
	return *(const void *const *)(const void *)((const char *)message + field->offset);
}

static bool is_packed(const void *message, ProtobufCBinaryData *ret)
{
	return ((const ProtobufCMessage *)message)->descriptor == &signal__sample__descriptor &&
	       sample_figures_packed(message, ret);
}

/* Another thread wrote the figures, much earlier: reading them is most of the work. */
static void fetch(const void *memory, size_t size)
{
	for (size_t at = 0; memory && at < size; at += CACHE_LINE)
		__builtin_prefetch((const char *)memory + at);
}

static void fetch_figures(const void *message, const ProtobufCFieldDescriptor *field)
{
	ProtobufCBinaryData packed;

	if (is_packed(message, &packed))
		fetch(packed.data, packed.len);
	else
		fetch(figures_of(message, field), sizeof(Signal__Figures));
}

void duckdb_figures_write(duckdb_vector vector, const ProtobufCFieldDescriptor *field,
			  const void *const *messages, idx_t count)
{
	uint8_t bytes[PACKED_MAX];

	for (idx_t row = 0; row < count; row++) {
		ProtobufCBinaryData packed = { 0, bytes };

		if (row + 2 * AHEAD < count)
			fetch(messages[row + 2 * AHEAD], sizeof(Signal__Sample));
		if (row + AHEAD < count)
			fetch_figures(messages[row + AHEAD], field);
		if (!is_packed(messages[row], &packed) && figures_of(messages[row], field))
			packed.len = pack(figures_of(messages[row], field), bytes);
		duckdb_vector_assign_string_element_len(vector, row, (const char *)packed.data,
							packed.len);
	}
}

struct packed_figures duckdb_figures_of_sample(const Signal__Sample *sample,
					       uint8_t bytes[PACKED_MAX])
{
	ProtobufCBinaryData packed = { 0, bytes };

	if (!sample_figures_packed(sample, &packed) && sample->figures)
		packed.len = pack(sample->figures, bytes);
	return (struct packed_figures){ packed.data, packed.data + packed.len };
}

struct packed_figures duckdb_figures_of(duckdb_string_t *value)
{
	const uint8_t *at = (const uint8_t *)duckdb_string_t_data(value);

	return (struct packed_figures){ at, at + duckdb_string_t_length(*value) };
}

/* Where the values of a chunk go, by the number of the field; NULL: no figure has it. */
struct places {
	int64_t *cells[FIGURES_MAX + 1];
};

static bool unpack_row(const struct places *places, idx_t row, struct packed_figures rest)
{
	uint64_t number, value;

	while (rest.at < rest.end) {
		if (!packed_figures_next(&rest, &number, &value))
			return false;
		if (number <= FIGURES_MAX && places->cells[number])
			places->cells[number][row] =
				value > COLUMN_INTEGER_MAX ? COLUMN_INTEGER_MAX : (int64_t)value;
	}
	return true;
}

static void find_places(struct places *ret, duckdb_vector structs, idx_t rows)
{
	*ret = (struct places){ 0 };
	for (unsigned i = 0; i < MESSAGE->n_fields; i++) {
		duckdb_vector child = duckdb_struct_vector_get_child(structs, i);
		int64_t *cells = duckdb_vector_get_data(child);

		memset(cells, 0, rows * sizeof(*cells));
		ret->cells[MESSAGE->fields[i].id] = cells;
	}
}

static bool is_null(uint64_t *validity, idx_t row)
{
	return validity && !duckdb_validity_row_is_valid(validity, row);
}

static void unpack_figures(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
	duckdb_vector packed = duckdb_data_chunk_get_vector(input, 0);
	duckdb_string_t *texts = duckdb_vector_get_data(packed);
	uint64_t *validity = duckdb_vector_get_validity(packed);
	idx_t rows = duckdb_data_chunk_get_size(input);
	struct places places;

	find_places(&places, output, rows);
	for (idx_t row = 0; row < rows; row++) {
		if (is_null(validity, row)) {
			duckdb_vector_ensure_validity_writable(output);
			duckdb_validity_set_row_invalid(duckdb_vector_get_validity(output), row);
			continue;
		}
		if (!unpack_row(&places, row, duckdb_figures_of(&texts[row]))) {
			duckdb_scalar_function_set_error(info, DUCKDB_FIGURES_DAMAGED);
			return;
		}
	}
}

static bool is_figure(uint64_t number)
{
	return protobuf_c_message_descriptor_get_field(MESSAGE, (unsigned)number);
}

static void pack_figures(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
	duckdb_vector lists = duckdb_data_chunk_get_vector(input, 0);
	const duckdb_list_entry *entries = duckdb_vector_get_data(lists);
	const int64_t *numbers = duckdb_vector_get_data(duckdb_list_vector_get_child(lists));
	idx_t rows = duckdb_data_chunk_get_size(input);
	uint8_t bytes[PACKED_MAX];

	(void)info;
	for (idx_t row = 0; row < rows; row++) {
		const int64_t *values = numbers + entries[row].offset;
		size_t len = 0;

		for (idx_t i = 0; i < entries[row].length && i < FIGURES_MAX; i++)
			if (values[i] > 0 && is_figure(i + 1))
				len += duckdb_figures_put(bytes + len, (uint32_t)i + 1,
							  (uint64_t)values[i]);
		duckdb_vector_assign_string_element_len(output, row, (const char *)bytes, len);
	}
}

/* The type of what unpack_figures() returns. */
static duckdb_logical_type figures_type(void)
{
	duckdb_logical_type number = duckdb_create_logical_type(DUCKDB_TYPE_BIGINT);
	duckdb_logical_type types[FIGURES_MAX], type;
	const char *names[FIGURES_MAX];

	for (unsigned i = 0; i < MESSAGE->n_fields; i++) {
		types[i] = number;
		names[i] = MESSAGE->fields[i].name;
	}
	type = duckdb_create_struct_type(types, names, MESSAGE->n_fields);
	duckdb_destroy_logical_type(&number);
	return type;
}

static duckdb_logical_type packed_type(void)
{
	return duckdb_create_logical_type(DUCKDB_TYPE_BLOB);
}

static duckdb_logical_type numbers_type(void)
{
	duckdb_logical_type number = duckdb_create_logical_type(DUCKDB_TYPE_BIGINT);
	duckdb_logical_type list = duckdb_create_list_type(number);

	duckdb_destroy_logical_type(&number);
	return list;
}

static const struct {
	const char *name;
	duckdb_logical_type (*takes)(void), (*gives)(void);
	duckdb_scalar_function_t call;
} FUNCTIONS[] = {
	{ "unpack_figures", packed_type, figures_type, unpack_figures },
	{ "pack_figures", numbers_type, packed_type, pack_figures },
};

int duckdb_figures_register(duckdb_connection connection, struct error *err)
{
	duckdb_state state = DuckDBSuccess;

	_Static_assert(sizeof(((Signal__Figures *)0)->user_ns) == sizeof(uint64_t),
		       "figures are 64 bits");
	for (size_t i = 0; i < sizeof(FUNCTIONS) / sizeof(FUNCTIONS[0]); i++) {
		duckdb_scalar_function function = duckdb_create_scalar_function();
		duckdb_logical_type takes = FUNCTIONS[i].takes(), gives = FUNCTIONS[i].gives();

		duckdb_scalar_function_set_name(function, FUNCTIONS[i].name);
		duckdb_scalar_function_add_parameter(function, takes);
		duckdb_scalar_function_set_return_type(function, gives);
		duckdb_scalar_function_set_function(function, FUNCTIONS[i].call);
		if (duckdb_register_scalar_function(connection, function) == DuckDBError)
			state = DuckDBError;
		duckdb_destroy_logical_type(&takes);
		duckdb_destroy_logical_type(&gives);
		duckdb_destroy_scalar_function(&function);
	}
	return state == DuckDBError ? error_set(err, -ENOMEM, "no memory to open the store") : 0;
}
