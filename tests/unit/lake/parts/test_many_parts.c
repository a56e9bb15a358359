/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "fixture_store.h"
#include "lake/store/join/run_joins.h"

/* Very many runs that are one. */

#define RUNS    2000
#define BATCHES 4

DEFINE_CLEANUP(struct run_joins *, run_joins_free)

static char names[RUNS][16];

static void add_run(struct made *made, size_t number)
{
	Signal__Link *link;
	Signal__Run *run;

	(void)snprintf(names[number], sizeof(names[number]), "run-%04zu", number);
	run = made_run(made, names[number], (double)number / 100, -1);
	run->engine = "snakemake";
	run->command = names[number];
	made_task(made, names[number], "sort", 1, 2)->run_id = names[number];
	link = made_add(made, "links");
	link->run_id = names[number];
	link->kind = "trace";
	link->value = "one";
	link->lead = true;
}

static void two_thousand_runs_of_one_link_are_one_run(void **state)
{
	struct lake *lake = *state;
	struct store_rows *rows;
	struct error err = { "" };
	size_t count = 0;

	for (size_t batch = 0; batch < BATCHES; batch++) {
		struct made made;

		made_init(&made, batch + 1);
		for (size_t i = 0; i < RUNS / BATCHES; i++)
			add_run(&made, batch * (RUNS / BATCHES) + i);
		lake_store(lake, &made);
	}
	assert_string_equal(lake_query(lake, "runs",
				       "status= pipeline= sort=started cursor= limit=100",
				       "id tasks"),
			    "run-0000 2000\n");
	assert_int_equal(lake_try_query(lake, "merged_runs", "cursor= limit=10000", &rows, &err),
			 0);
	for (; store_next(rows); count++)
		assert_string_equal(store_text(rows, (size_t)store_column(rows, "run_id")),
				    "run-0000");
	assert_int_equal(count, RUNS - 1);
	store_rows_free(rows);
}

static void joins_that_wait_lead_to_the_run_at_the_end(void **state)
{
	CLEANUP(run_joins_freep) struct run_joins *joins = run_joins_new();
	const struct run_join *list;

	for (size_t i = 0; i < 100; i++) {
		char part[16], run[16];
		const struct run_join join = {
			.part_id = part, .run_id = run, .reason = "trace", .value = "v"
		};

		(void)snprintf(part, sizeof(part), "%zu", i);
		(void)snprintf(run, sizeof(run), "%zu", i + 1);
		assert_int_equal(run_joins_add(joins, &join), 0);
	}
	assert_int_equal(run_joins_count(joins), 100);
	assert_int_equal(run_joins_resolve(joins, &list), 0);
	for (size_t i = 0; i < 100; i++)
		assert_string_equal(list[i].run_id, "100");
	run_joins_clear(joins);
	assert_int_equal(run_joins_count(joins), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(two_thousand_runs_of_one_link_are_one_run,
						lake_setup, lake_teardown),
		cmocka_unit_test(joins_that_wait_lead_to_the_run_at_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
