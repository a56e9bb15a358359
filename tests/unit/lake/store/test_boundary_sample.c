/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_deliver.h"
#include "fixture_store.h"

#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define HOUR_NS (UINT64_C(3600) * NS_PER_S)

static Signal__Figures *add_sample(struct made *made)
{
	return made_figures(&made_sample(made, 1, "", 0, 5)->figures);
}

/* Of a host with 4 CPUs, which may become 8, and 8 GiB, which may have been 12; in five seconds,
 * and the hour by which clocks may be set. */
static void make(struct made *made)
{
	Signal__Host *host;

	made_init(made, 1);
	host = made_add(made, "hosts");
	host->cpus = 4;
	host->memory_bytes = UINT64_C(8) << 30;
	made_run(made, "run", 0, 600);
	made_execution(made, 1, "", "bwa", 0, 600);
	add_sample(made)->user_ns = 8 * HOUR_NS;
	add_sample(made)->kernel_ns = 8 * HOUR_NS + 60 * NS_PER_S;
	add_sample(made)->rss_peak_bytes = UINT64_C(11) << 30;
	add_sample(made)->rss_peak_bytes = UINT64_C(13) << 30;
}

static void must_be_two(struct lake *lake)
{
	assert_string_equal(lake_query(lake, "metrics", "", "samples"), "2\n");
	assert_string_equal(
		lake_query(lake, "losses", "run=run limit=10", "what count why"),
		"samples 1 rejected: more CPU time than its threads, or its host's CPUs, have in "
		"that time\nsamples 1 rejected: more memory than its host has\n");
}

static void a_sample_uses_no_more_than_its_host_has(void **state)
{
	struct made made;

	make(&made);
	lake_store(*state, &made);
	must_be_two(*state);
}

static void nor_does_one_with_packed_figures(void **state)
{
	struct lake *lake = *state;
	bool duplicate = true;
	struct made made;

	make(&made);
	assert_int_equal(deliver(lake->store, &made.batch, &duplicate, NULL), 0);
	made_clear(&made);
	must_be_two(lake);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, lake_setup, lake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_sample_uses_no_more_than_its_host_has),
		TEST(nor_does_one_with_packed_figures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
