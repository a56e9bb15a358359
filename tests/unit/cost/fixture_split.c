/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fixture_split.h"

static uint64_t amount(double count, enum cost_kind kind)
{
	return (uint64_t)(count * (kind == COST_MEMORY ? 1 << 20 : COST_MILLION) + 0.5);
}

static int64_t hours(double at)
{
	return (int64_t)(at * (double)SPLIT_HOUR + (at < 0 ? -0.5 : 0.5));
}

static bool read_hold(struct split_case *input, const char *statement)
{
	double since = 0, until = 0, reserved[COST_KINDS], used[COST_KINDS];
	if (sscanf(statement, " hold %lf %lf %lf %lf %lf / %lf %lf %lf", &since, &until,
		   &reserved[0], &reserved[1], &reserved[2], &used[0], &used[1], &used[2]) != 8)
		return false;
	assert_true(input->hold_count < SPLIT_MOST);
	struct cost_hold *hold = &input->holds[input->hold_count++];
	*hold = (struct cost_hold){ .since_at = hours(since), .until_at = hours(until) };
	for (size_t kind = 0; kind < COST_KINDS; kind++) {
		hold->reserved[kind] = amount(reserved[kind], (enum cost_kind)kind);
		hold->used[kind] = amount(used[kind], (enum cost_kind)kind);
	}
	return true;
}

bool split_case_read(struct split_case *input, const char *statement)
{
	double size[COST_KINDS], since = 0, until = 0, price = 0;
	uint32_t *weights = input->host.weight_ppm;
	if (sscanf(statement, " host %lf %lf %lf %u %u %u", &size[0], &size[1], &size[2],
		   &weights[0], &weights[1], &weights[2]) == 6) {
		for (size_t kind = 0; kind < COST_KINDS; kind++)
			input->host.capacity[kind] = amount(size[kind], (enum cost_kind)kind);
		return true;
	}
	if (sscanf(statement, " up %lf %lf %lf", &since, &until, &price) == 3) {
		assert_true(input->stretch_count < SPLIT_MOST);
		input->stretches[input->stretch_count++] =
			(struct cost_stretch){ hours(since), hours(until),
					       (int64_t)(price * (double)SPLIT_USD + 0.5) };
		return true;
	}
	return read_hold(input, statement);
}

int64_t split_cost(const struct cost_part *part)
{
	return part->used_nusd + part->unused_nusd + part->idle_nusd;
}

static int take_part(void *context, const struct cost_cell *cell, size_t hold,
		     const struct cost_part *part)
{
	struct split_sums *sums = context;
	assert_true(hold < sums->input->hold_count);
	assert_true(sums->input->holds[hold].since_at < cell->until_at);
	assert_true(sums->input->holds[hold].until_at > cell->since_at);
	assert_true(part->used_nusd >= 0 && part->unused_nusd >= 0 && part->idle_nusd >= 0);
	sums->parts[hold].used_nusd += part->used_nusd;
	sums->parts[hold].unused_nusd += part->unused_nusd;
	sums->parts[hold].idle_nusd += part->idle_nusd;
	sums->cell_nusd += split_cost(part);
	sums->calls++;
	return 0;
}

static int64_t hour_of(int64_t at) /* rounds down before 1970, too */
{
	return (at + 1000 * SPLIT_HOUR) / SPLIT_HOUR;
}

static int take_cell(void *context, const struct cost_cell *cell)
{
	struct split_sums *sums = context;
	assert_true(cell->since_at >= sums->last_at && cell->since_at < cell->until_at);
	assert_true(hour_of(cell->since_at) == hour_of(cell->until_at - 1));
	assert_true(cell->unallocated_nusd >= 0);
	assert_int_equal(sums->cell_nusd + cell->unallocated_nusd, cell->whole_nusd);
	sums->whole_nusd += cell->whole_nusd;
	sums->unallocated_nusd += cell->unallocated_nusd;
	sums->cells++;
	sums->cell_nusd = 0;
	sums->last_at = cell->until_at;
	return 0;
}

void split_case_run(const struct split_case *input, enum cost_rule rule, struct split_sums *sums)
{
	*sums = (struct split_sums){ .input = input, .last_at = INT64_MIN };
	const struct cost_sink sink = { take_part, take_cell, sums };
	assert_int_equal(cost_split(&input->host, input->stretches, input->stretch_count,
				    input->holds, input->hold_count, rule, &sink),
			 0);
}
