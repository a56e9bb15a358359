/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lake/store/ingest/batch_ledger.h"

static Signal__Batch batch_of(char *host, char *agent, uint64_t sequence)
{
	Signal__Batch batch = SIGNAL__BATCH__INIT;

	batch.host_id = host;
	batch.agent_id = agent;
	batch.boot_id = "boot";
	batch.sequence = sequence;
	return batch;
}

static int add(struct batch_ledger *ledger, uint64_t sequence)
{
	Signal__Batch batch = batch_of("host", "agent", sequence);

	return batch_ledger_add(ledger, &batch);
}

static bool has(struct batch_ledger *ledger, uint64_t sequence)
{
	Signal__Batch batch = batch_of("host", "agent", sequence);

	return batch_ledger_has(ledger, &batch);
}

static void it_has_what_was_added_in_any_order_and_nothing_else(void **state)
{
	static const uint64_t order[] = { 5, 1, 3, 9, 2, 4, 1, UINT64_MAX, 8, UINT64_MAX - 1 };
	struct batch_ledger *ledger = batch_ledger_new();
	bool added[12] = { false };

	assert_false(has(ledger, 1));
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		assert_int_equal(add(ledger, order[i]), 0);
		if (order[i] < 12)
			added[order[i]] = true;
		for (uint64_t sequence = 0; sequence < 12; sequence++)
			assert_int_equal(has(ledger, sequence), added[sequence]);
	}
	assert_true(has(ledger, UINT64_MAX));
	assert_false(has(ledger, UINT64_MAX - 2));
	batch_ledger_free(ledger);
}

static void a_range_swallows_those_that_it_covers(void **state)
{
	struct batch_ledger *ledger = batch_ledger_new();

	for (uint64_t sequence = 2; sequence < 20; sequence += 4)
		assert_int_equal(add(ledger, sequence), 0);
	assert_int_equal(batch_ledger_add_range(ledger, "host", "agent", "boot", 5, 15), 0);
	assert_false(has(ledger, 4));
	for (uint64_t sequence = 5; sequence <= 15; sequence++)
		assert_true(has(ledger, sequence));
	assert_false(has(ledger, 16));
	assert_true(has(ledger, 2));
	assert_true(has(ledger, 18));
	batch_ledger_free(ledger);
}

static void agents_and_hosts_do_not_share_sequences(void **state)
{
	struct batch_ledger *ledger = batch_ledger_new();
	Signal__Batch batch = batch_of("host", "agent", 1);
	Signal__Batch other_host = batch_of("another", "agent", 1);
	Signal__Batch other_agent = batch_of("host", "another", 1);

	assert_int_equal(batch_ledger_add(ledger, &batch), 0);
	assert_false(batch_ledger_has(ledger, &other_host));
	assert_false(batch_ledger_has(ledger, &other_agent));
	batch_ledger_free(ledger);
}

static void an_agent_with_too_many_gaps_is_refused(void **state)
{
	struct batch_ledger *ledger = batch_ledger_new();
	Signal__Batch batch = batch_of("host", "agent", 1);

	for (uint64_t i = 0; i < BATCH_LEDGER_RANGES_MAX; i++) {
		assert_false(batch_ledger_is_full(ledger, &batch));
		assert_int_equal(add(ledger, 2 * i + 2), 0);
	}
	assert_true(batch_ledger_is_full(ledger, &batch));
	assert_int_equal(add(ledger, 2 * (uint64_t)BATCH_LEDGER_RANGES_MAX + 10), -ENOSPC);
	assert_true(has(ledger, 2));
	batch_ledger_free(ledger);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_has_what_was_added_in_any_order_and_nothing_else),
		cmocka_unit_test(a_range_swallows_those_that_it_covers),
		cmocka_unit_test(agents_and_hosts_do_not_share_sequences),
		cmocka_unit_test(an_agent_with_too_many_gaps_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
