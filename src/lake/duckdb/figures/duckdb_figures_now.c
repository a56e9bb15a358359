/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/figures/duckdb_figures_now.h"

#include "lake/duckdb/duckdb_column.h"
#include "lake/duckdb/figures/duckdb_figure_sums.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define MESSAGE (&signal__figures__descriptor)

enum { SAMPLED, UNTIL, OPEN, RUNS, RECORD, PARAMS = RECORD + FIGURES_COUNT };

/* A column of a chunk. */
struct input {
	void *data;
	uint64_t *validity; /* NULL: no row is NULL */
};

struct inputs {
	struct input columns[PARAMS];
};

static void read_inputs(struct inputs *ret, duckdb_data_chunk chunk)
{
	for (idx_t i = 0; i < PARAMS; i++) {
		duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, i);

		ret->columns[i] = (struct input){ duckdb_vector_get_data(vector),
						  duckdb_vector_get_validity(vector) };
	}
}

static bool is_there(const struct input *input, idx_t row)
{
	return !input->validity || duckdb_validity_row_is_valid(input->validity, row);
}

static bool is_true(const struct input *input, idx_t row)
{
	return is_there(input, row) && ((const bool *)input->data)[row];
}

/* Of a figure of the record. */
static uint64_t value_of(const struct input *input, idx_t row)
{
	int64_t value = is_there(input, row) ? ((const int64_t *)input->data)[row] : 0;

	return value > 0 ? (uint64_t)value : 0;
}

/* What the samples sum up to. False: it is damaged. */
static bool read_sampled(const struct inputs *inputs, idx_t row, struct duckdb_figure_sums *ret)
{
	const struct input *figures = &inputs->columns[SAMPLED], *until = &inputs->columns[UNTIL];

	memset(ret, 0, sizeof(*ret));
	if (!is_there(figures, row))
		return true;
	return duckdb_figure_sums_add(
		ret, duckdb_figures_of(&((duckdb_string_t *)figures->data)[row]),
		is_there(until, row) ? &((const int64_t *)until->data)[row] : NULL);
}

/* The figures of an execution. False: they are damaged. */
static bool read_now(const struct inputs *inputs, idx_t row, uint64_t ret[FIGURES_COUNT])
{
	bool open = is_true(&inputs->columns[OPEN], row),
	     runs = is_true(&inputs->columns[RUNS], row);
	struct duckdb_figure_sums sampled;
	bool good = read_sampled(inputs, row, &sampled);

	for (size_t i = 0; i < FIGURES_COUNT; i++) {
		uint64_t record = value_of(&inputs->columns[RECORD + i], row);

		if (DUCKDB_FIGURE_KINDS[i] != DUCKDB_FIGURE_LEVEL)
			ret[i] = record > sampled.values[i] ? record : sampled.values[i];
		else if (open && !runs)
			ret[i] = 0;
		else
			ret[i] = open && sampled.has_time ? sampled.values[i] : record;
	}
	return good;
}

static void figures_now(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_vector output)
{
	uint64_t values[FIGURES_COUNT];
	int64_t *cells[FIGURES_COUNT];
	struct inputs inputs;

	read_inputs(&inputs, chunk);
	for (size_t i = 0; i < FIGURES_COUNT; i++)
		cells[i] = duckdb_vector_get_data(duckdb_struct_vector_get_child(output, i));
	for (idx_t row = 0; row < duckdb_data_chunk_get_size(chunk); row++) {
		if (!read_now(&inputs, row, values)) {
			duckdb_scalar_function_set_error(info, DUCKDB_FIGURES_DAMAGED);
			return;
		}
		for (size_t i = 0; i < FIGURES_COUNT; i++)
			cells[i][row] = (int64_t)values[i];
	}
}

/* Of several executions. */
struct total {
	duckdb_hugeint values[FIGURES_COUNT];
};

static struct total *total_of(duckdb_aggregate_state state)
{
	return (struct total *)(void *)state;
}

static void add(struct total *total, size_t place, duckdb_hugeint value)
{
	duckdb_hugeint *at = &total->values[place];

	if (DUCKDB_FIGURE_KINDS[place] == DUCKDB_FIGURE_PEAK) {
		*at = value.lower > at->lower ? value : *at;
		return;
	}
	at->lower += value.lower;
	at->upper += value.upper + (at->lower < value.lower);
}

static idx_t total_size(duckdb_function_info info)
{
	(void)info;
	return sizeof(struct total);
}

static void total_begin(duckdb_function_info info, duckdb_aggregate_state state)
{
	(void)info;
	memset(total_of(state), 0, sizeof(struct total));
}

static void total_update(duckdb_function_info info, duckdb_data_chunk chunk,
			 duckdb_aggregate_state *states)
{
	uint64_t values[FIGURES_COUNT];
	struct inputs inputs;

	read_inputs(&inputs, chunk);
	for (idx_t row = 0; row < duckdb_data_chunk_get_size(chunk); row++) {
		if (!read_now(&inputs, row, values)) {
			duckdb_aggregate_function_set_error(info, DUCKDB_FIGURES_DAMAGED);
			return;
		}
		for (size_t i = 0; i < FIGURES_COUNT; i++)
			add(total_of(states[row]), i, (duckdb_hugeint){ .lower = values[i] });
	}
}

static void total_combine(duckdb_function_info info, duckdb_aggregate_state *sources,
			  duckdb_aggregate_state *targets, idx_t count)
{
	(void)info;
	for (idx_t i = 0; i < count; i++)
		for (size_t place = 0; place < FIGURES_COUNT; place++)
			add(total_of(targets[i]), place, total_of(sources[i])->values[place]);
}

static void total_finish(duckdb_function_info info, duckdb_aggregate_state *states,
			 duckdb_vector result, idx_t count, idx_t offset)
{
	(void)info;
	for (size_t place = 0; place < FIGURES_COUNT; place++) {
		void *cells = duckdb_vector_get_data(duckdb_struct_vector_get_child(result, place));
		bool peak = DUCKDB_FIGURE_KINDS[place] == DUCKDB_FIGURE_PEAK;

		for (idx_t i = 0; i < count; i++) {
			duckdb_hugeint value = total_of(states[i])->values[place];

			if (peak)
				((int64_t *)cells)[offset + i] = (int64_t)value.lower;
			else
				((duckdb_hugeint *)cells)[offset + i] = value;
		}
	}
}

/* The type of a parameter. */
static duckdb_type param_type(size_t param)
{
	static const duckdb_type TYPES[] = { [SAMPLED] = DUCKDB_TYPE_BLOB,
					     [UNTIL] = DUCKDB_TYPE_TIMESTAMP,
					     [OPEN] = DUCKDB_TYPE_BOOLEAN,
					     [RUNS] = DUCKDB_TYPE_BOOLEAN };

	return param < RECORD ? TYPES[param] : DUCKDB_TYPE_BIGINT;
}

/* sum: the type of what is added. */
static duckdb_logical_type result_type(duckdb_type sum)
{
	duckdb_logical_type number = duckdb_create_logical_type(DUCKDB_TYPE_BIGINT);
	duckdb_logical_type added = duckdb_create_logical_type(sum);
	duckdb_logical_type types[FIGURES_COUNT], type;
	const char *names[FIGURES_COUNT];

	for (unsigned i = 0; i < FIGURES_COUNT; i++) {
		types[i] = DUCKDB_FIGURE_KINDS[i] == DUCKDB_FIGURE_PEAK ? number : added;
		names[i] = MESSAGE->fields[i].name;
	}
	type = duckdb_create_struct_type(types, names, FIGURES_COUNT);
	duckdb_destroy_logical_type(&number);
	duckdb_destroy_logical_type(&added);
	return type;
}

static duckdb_state register_now(duckdb_connection connection)
{
	duckdb_scalar_function function = duckdb_create_scalar_function();
	duckdb_logical_type gives = result_type(DUCKDB_TYPE_BIGINT);
	duckdb_state state;

	duckdb_scalar_function_set_name(function, "figures_now");
	for (size_t i = 0; i < PARAMS; i++) {
		duckdb_logical_type type = duckdb_create_logical_type(param_type(i));

		duckdb_scalar_function_add_parameter(function, type);
		duckdb_destroy_logical_type(&type);
	}
	duckdb_scalar_function_set_return_type(function, gives);
	duckdb_scalar_function_set_special_handling(function); /* without samples */
	duckdb_scalar_function_set_function(function, figures_now);
	state = duckdb_register_scalar_function(connection, function);
	duckdb_destroy_logical_type(&gives);
	duckdb_destroy_scalar_function(&function);
	return state;
}

static duckdb_state register_total(duckdb_connection connection)
{
	duckdb_aggregate_function function = duckdb_create_aggregate_function();
	duckdb_logical_type gives = result_type(DUCKDB_TYPE_HUGEINT);
	duckdb_state state;

	duckdb_aggregate_function_set_name(function, "total_figures");
	for (size_t i = 0; i < PARAMS; i++) {
		duckdb_logical_type type = duckdb_create_logical_type(param_type(i));

		duckdb_aggregate_function_add_parameter(function, type);
		duckdb_destroy_logical_type(&type);
	}
	duckdb_aggregate_function_set_return_type(function, gives);
	duckdb_aggregate_function_set_special_handling(function);
	duckdb_aggregate_function_set_functions(function, total_size, total_begin, total_update,
						total_combine, total_finish);
	state = duckdb_register_aggregate_function(connection, function);
	duckdb_destroy_logical_type(&gives);
	duckdb_destroy_aggregate_function(&function);
	return state;
}

int duckdb_figures_now_register(duckdb_connection connection, struct error *err)
{
	if (register_now(connection) == DuckDBError || register_total(connection) == DuckDBError)
		return error_set(err, -ENOMEM, "no memory to open the store");
	return 0;
}
