/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROWS 25

static int setup(void **state)
{
	static struct lake lake;
	static char ids[ROWS][16];
	struct made made;

	lake_make(&lake);
	made_init(&made, 1);
	made_run(&made, "run", 0, -1);
	for (uint32_t i = 0; i < ROWS; i++) {
		snprintf(ids[i], sizeof(ids[i]), "id-%02u", i * 7 % ROWS);
		/* Fives of a kind begin at the same instant. */
		made_run(&made, ids[i], 100 + i / 5, -1);
		made_task(&made, ids[i], "step", 100 + i / 5, -1);
		made_execution(&made, i + 1, ids[i], "tool", 100 + i / 5, -1);
	}
	lake_store(&lake, &made);
	*state = &lake;
	return 0;
}

/* One page; *cursor becomes the next one's. Returns the rows, and counts each id's number. */
static size_t read_page(struct lake *lake, const char *query, const char *params,
			const char *column, char *cursor, size_t cursor_size,
			unsigned seen[ROWS + 2])
{
	char all[512];
	struct store_rows *rows = NULL;
	size_t count = 0;

	snprintf(all, sizeof(all), "%s limit=4 cursor=%s", params, cursor);
	assert_int_equal(lake_try_query(lake, query, all, &rows, NULL), 0);
	while (store_next(rows)) {
		size_t at = (size_t)store_column(rows, column);
		const char *id = store_text(rows, at);
		long number =
			id ? strtol(id + strcspn(id, "0123456789"), NULL, 10) : store_i64(rows, at);

		seen[number]++;
		count++;
		snprintf(cursor, cursor_size, "%s",
			 store_text(rows, (size_t)store_column(rows, STORE_CURSOR)));
		for (char *c = cursor; *c; c++)
			if (*c == ' ')
				*c = '~';
	}
	store_rows_free(rows);
	return count;
}

static void page_through(struct lake *lake, const char *query, const char *params,
			 const char *column, unsigned first, unsigned last)
{
	unsigned seen[ROWS + 2] = { 0 };
	char cursor[256] = "";
	size_t pages = 0;

	while (read_page(lake, query, params, column, cursor, sizeof(cursor), seen))
		assert_in_range(++pages, 1, ROWS);
	for (unsigned i = first; i <= last; i++)
		if (seen[i] != 1)
			fail_msg("%s: %u came %u times", query, i, seen[i]);
}

static void pages_hold_every_row_once(void **state)
{
	page_through(*state, "runs", "status=running pipeline= sort=", "id", 1, ROWS - 1);
	page_through(*state, "tasks", "run=run step= status=", "id", 0, ROWS - 1);
	page_through(*state, "processes", "run=run task= tool= status=", "pid", 1, ROWS);
}

static void a_row_that_arrives_between_two_pages_moves_no_other(void **state)
{
	unsigned seen[ROWS + 2] = { 0 };
	char cursor[256] = "";
	struct made made;

	assert_int_equal(read_page(*state, "runs", "status= pipeline= sort=", "id", cursor,
				   sizeof(cursor), seen),
			 4);
	made_init(&made, 2);
	made_run(&made, "id-26", 900, -1);
	lake_store(*state, &made);
	while (read_page(*state, "runs", "status= pipeline= sort=", "id", cursor, sizeof(cursor),
			 seen))
		;
	for (unsigned i = 1; i < ROWS; i++)
		assert_int_equal(seen[i], 1);
	assert_int_equal(seen[ROWS + 1], 0);
}

static void a_cursor_that_is_none_gives_no_rows_and_no_error(void **state)
{
	static const char *const cursors[] = { "x", "~", "';--", "99999999999999999999999~x" };
	unsigned seen[ROWS + 2] = { 0 };

	for (size_t i = 0; i < sizeof(cursors) / sizeof(cursors[0]); i++) {
		char cursor[256];

		snprintf(cursor, sizeof(cursor), "%s", cursors[i]);
		assert_int_equal(read_page(*state, "tasks", "run=run step= status=", "id", cursor,
					   sizeof(cursor), seen),
				 0);
	}
}

/* Without a kept cost, as nothing is settled. */
static void the_costs_of_a_page_are_of_its_runs(void **state)
{
	static const struct {
		const char *params, *expected;
	} pages[] = {
		{ "status= pipeline=other sort=started limit=10 cursor=",
		  "second @400 @450 -\nfirst @300 @500 -\n" },
		{ "status= pipeline=other sort=started limit=1 cursor=", "second @400 @450 -\n" },
		{ "status= pipeline=none sort=started limit=1 cursor=", "" },
	};
	struct made made;

	made_init(&made, 2);
	made_run(&made, "first", 300, 500)->pipeline = "other";
	made_run(&made, "second", 400, 450)->pipeline = "other";
	lake_store(*state, &made);
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++)
		assert_string_equal(lake_query(*state, "runs_costs", pages[i].params,
					       "id started_at ended_at cost"),
				    pages[i].expected);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(pages_hold_every_row_once),
		TEST(a_row_that_arrives_between_two_pages_moves_no_other),
		TEST(a_cursor_that_is_none_gives_no_rows_and_no_error),
		TEST(the_costs_of_a_page_are_of_its_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
