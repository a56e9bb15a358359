/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/figures/duckdb_figure_sums.h"

#include "lake/duckdb/duckdb_column.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

/* Kinds of figures.tsv. */
#define SUM   DUCKDB_FIGURE_SUM
#define WAIT  DUCKDB_FIGURE_SUM
#define LEVEL DUCKDB_FIGURE_LEVEL
#define PEAK  DUCKDB_FIGURE_PEAK

const enum duckdb_figure_kind DUCKDB_FIGURE_KINDS[FIGURES_COUNT] = {
#define KIND(name, kind) kind,
	FIGURES(KIND)
#undef KIND
};

#define MESSAGE (&signal__figures__descriptor)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint8_t place_of[DUCKDB_FIGURES_MAX + 1]; /* by number, from 1; 0: no figure */

/* FIGURES and the message have the same order (a test compares them). */
static void find_places(void)
{
	assert(MESSAGE->n_fields == FIGURES_COUNT);
	for (unsigned i = 0; i < MESSAGE->n_fields; i++) {
		assert(MESSAGE->fields[i].id <= DUCKDB_FIGURES_MAX);
		place_of[MESSAGE->fields[i].id] = (uint8_t)(i + 1);
	}
}

static uint64_t cut(uint64_t value)
{
	return value > (uint64_t)COLUMN_INTEGER_MAX ? (uint64_t)COLUMN_INTEGER_MAX : value;
}

/* Whether levels up to this time replace those that are there, which are then cleared. */
static bool is_later(struct duckdb_figure_sums *sums, const int64_t *until)
{
	if (!until || (sums->has_time && sums->until >= *until))
		return false;
	sums->has_time = true;
	sums->until = *until;
	for (size_t i = 0; i < FIGURES_COUNT; i++)
		if (DUCKDB_FIGURE_KINDS[i] == LEVEL)
			sums->values[i] = 0;
	return true;
}

static void add(struct duckdb_figure_sums *sums, size_t place, uint64_t value, bool later)
{
	uint64_t *at = &sums->values[place];

	if (DUCKDB_FIGURE_KINDS[place] == SUM)
		*at = cut(*at + value);
	else if (DUCKDB_FIGURE_KINDS[place] == PEAK ? value > *at : later)
		*at = value;
}

bool duckdb_figure_sums_add(struct duckdb_figure_sums *sums, struct packed_figures figures,
			    const int64_t *until)
{
	bool later = is_later(sums, until);
	uint64_t number, value;

	pthread_once(&once, find_places);
	while (figures.at < figures.end) {
		if (!packed_figures_next(&figures, &number, &value))
			return false;
		if (number <= DUCKDB_FIGURES_MAX && place_of[number])
			add(sums, place_of[number] - 1u, cut(value), later);
	}
	return true;
}

size_t duckdb_figure_sums_pack(const struct duckdb_figure_sums *sums,
			       uint8_t bytes[DUCKDB_FIGURES_BYTES])
{
	size_t len = 0;

	for (size_t i = 0; i < FIGURES_COUNT; i++)
		if (sums->values[i])
			len += duckdb_figures_put(bytes + len, MESSAGE->fields[i].id,
						  sums->values[i]);
	return len;
}

/* The aggregate. */

static idx_t state_size(duckdb_function_info info)
{
	(void)info;
	return sizeof(struct duckdb_figure_sums);
}

static struct duckdb_figure_sums *sums_of(duckdb_aggregate_state state)
{
	return (struct duckdb_figure_sums *)(void *)state;
}

static void begin(duckdb_function_info info, duckdb_aggregate_state state)
{
	(void)info;
	memset(sums_of(state), 0, sizeof(struct duckdb_figure_sums));
}

static bool is_there(uint64_t *validity, idx_t row)
{
	return !validity || duckdb_validity_row_is_valid(validity, row);
}

static void update(duckdb_function_info info, duckdb_data_chunk input,
		   duckdb_aggregate_state *states)
{
	duckdb_vector packed = duckdb_data_chunk_get_vector(input, 0);
	duckdb_vector times = duckdb_data_chunk_get_vector(input, 1);
	duckdb_string_t *values = duckdb_vector_get_data(packed);
	const int64_t *until = duckdb_vector_get_data(times);
	uint64_t *have_value = duckdb_vector_get_validity(packed);
	uint64_t *have_time = duckdb_vector_get_validity(times);

	for (idx_t row = 0; row < duckdb_data_chunk_get_size(input); row++)
		if (is_there(have_value, row) &&
		    !duckdb_figure_sums_add(sums_of(states[row]), duckdb_figures_of(&values[row]),
					    is_there(have_time, row) ? &until[row] : NULL))
			duckdb_aggregate_function_set_error(info, DUCKDB_FIGURES_DAMAGED);
}

static void combine(duckdb_function_info info, duckdb_aggregate_state *sources,
		    duckdb_aggregate_state *targets, idx_t count)
{
	(void)info;
	for (idx_t i = 0; i < count; i++) {
		const struct duckdb_figure_sums *source = sums_of(sources[i]);
		struct duckdb_figure_sums *target = sums_of(targets[i]);
		bool later = is_later(target, source->has_time ? &source->until : NULL);

		for (size_t place = 0; place < FIGURES_COUNT; place++)
			add(target, place, source->values[place], later);
	}
}

static void finish(duckdb_function_info info, duckdb_aggregate_state *states, duckdb_vector result,
		   idx_t count, idx_t offset)
{
	uint8_t bytes[DUCKDB_FIGURES_BYTES];

	(void)info;
	for (idx_t i = 0; i < count; i++) {
		size_t len = duckdb_figure_sums_pack(sums_of(states[i]), bytes);

		duckdb_vector_assign_string_element_len(result, offset + i, (const char *)bytes,
							len);
	}
}

int duckdb_figure_sums_register(duckdb_connection connection, struct error *err)
{
	duckdb_aggregate_function function = duckdb_create_aggregate_function();
	duckdb_logical_type packed = duckdb_create_logical_type(DUCKDB_TYPE_BLOB);
	duckdb_logical_type time = duckdb_create_logical_type(DUCKDB_TYPE_TIMESTAMP);
	duckdb_state state;

	duckdb_aggregate_function_set_name(function, "sum_figures");
	duckdb_aggregate_function_add_parameter(function, packed);
	duckdb_aggregate_function_add_parameter(function, time);
	duckdb_aggregate_function_set_return_type(function, packed);
	duckdb_aggregate_function_set_functions(function, state_size, begin, update, combine,
						finish);
	duckdb_aggregate_function_set_special_handling(function); /* samples without a time */
	state = duckdb_register_aggregate_function(connection, function);
	duckdb_destroy_logical_type(&packed);
	duckdb_destroy_logical_type(&time);
	duckdb_destroy_aggregate_function(&function);
	return state == DuckDBError ? error_set(err, -ENOMEM, "no memory to open the store") : 0;
}
