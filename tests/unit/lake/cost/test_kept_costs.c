/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/clock.h"
#include "fixture_store.h"
#include "lake/store/settle/store_settle.h"

/* What a settled run cost is kept, and looked at again when what ran beside it is known. */

#define LISTED(lake)                     \
	lake_query((lake), "runs_costs", \
		   "status= pipeline= sort=started limit=9 cursor=", "id cost")
#define STALE(lake) lake_query((lake), "costs_stale", "limit=9", "run_id")

static void store_run(struct lake *lake, uint64_t sequence, char *id, double begin, double end)
{
	struct made made;

	made_init(&made, sequence);
	made_run(&made, id, begin, end)->pid = (uint32_t)sequence;
	made_execution(&made, (uint32_t)sequence, "", "bwa", begin, end)->run_id = id;
	lake_store(lake, &made);
}

/* Keeps a cost that was looked at now. */
static void keep(struct lake *lake, const char *id)
{
	struct store_run_state state;
	struct error err = { "" };
	char text[128];
	bool done = false;

	assert_int_equal(store_settle(lake->store, id, "sums", &done, &err), 0);
	assert_true(done);
	store_run_state(lake->store, id, &state);
	snprintf(text, sizeof(text), "{\"costs\":[{\"checked\":%lld}]}",
		 (long long)clock_real_ns());
	assert_int_equal(store_keep(lake->store, id, state.settled, "cost", "1", text, &err), 0);
}

static bool is_kept(struct lake *lake, const char *id)
{
	const char *line = strstr(LISTED(lake), id);

	assert_non_null(line);
	return strncmp(line + strlen(id), " {\"checked\":", 12) == 0;
}

static void a_cost_stays_kept_while_nothing_ran_beside_it(void **state)
{
	store_run(*state, 1, "first", 10, 100);
	keep(*state, "first");
	assert_true(is_kept(*state, "first"));
	store_run(*state, 2, "later", 200, -1);
	assert_true(is_kept(*state, "first"));
	assert_string_equal(STALE(*state), "");
}

static void a_run_beside_it_makes_it_be_looked_at_again(void **state)
{
	store_run(*state, 1, "first", 10, 100);
	keep(*state, "first");
	store_run(*state, 2, "beside", 50, -1);
	assert_false(is_kept(*state, "first")); /* what is idle is not known for good */
	assert_string_equal(STALE(*state), "");
	store_run(*state, 3, "beside", 50, 150);
	keep(*state, "beside");
	assert_false(is_kept(*state, "first"));
	assert_true(is_kept(*state, "beside"));
	assert_string_equal(STALE(*state), "first\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_cost_stays_kept_while_nothing_ran_beside_it,
						lake_setup, lake_teardown),
		cmocka_unit_test_setup_teardown(a_run_beside_it_makes_it_be_looked_at_again,
						lake_setup, lake_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
