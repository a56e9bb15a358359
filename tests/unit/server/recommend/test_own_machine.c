/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "server/recommend/own_machine.h"
#include "server/recommend/pattern_list.h"

#define GIB 1073741824.0

static void machines_are_read(void **state)
{
	struct own_machine machines[OWN_MACHINES_MAX];
	struct error err = { "" };
	size_t count = 9;

	(void)state;
	assert_int_equal(own_machines_read(NULL, machines, &count, &err), 0);
	assert_int_equal(count, 0);
	assert_int_equal(own_machines_read("cpus=2,memory=8G,usd_hour=0.1;name=big,cpus=64,memory="
					   "1T,usd_hour=3,storage=500M,network=1G",
					   machines, &count, &err),
			 0);
	assert_int_equal(count, 2);
	assert_string_equal(machines[0].name, "2 CPUs, 8.0 GiB");
	assert_true(machines[0].cpus == 2 && machines[0].memory_bytes == 8 * GIB);
	assert_true(machines[0].usd_hour == 0.1 && machines[0].storage_bytes_s == 0);
	assert_string_equal(machines[1].name, "big");
	assert_true(machines[1].network_bytes_s == GIB);
}

static void what_is_no_machine_is_refused(void **state)
{
	static const char *const texts[] = {
		"cpus=2",
		"cpus=2,memory=8G",
		"cpus=0,memory=8G,usd_hour=1",
		"cpus=2,memory=much,usd_hour=1",
		"cpus=2,memory=8G,usd_hour=-1",
		"cpus=2,memory=8G,usd_hour=nan",
		"cpus=2,memory=8G,usd_hour=1,colour=red",
		"cpus=2,memory=8G,usd_hour=1,name=",
		"cpus,memory=8G,usd_hour=1",
		"x",
		"cpus=1e99,memory=8G,usd_hour=1",
	};
	struct own_machine machines[OWN_MACHINES_MAX];
	size_t count;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct error err = { "" };

		print_message("%s\n", texts[i]);
		assert_int_equal(own_machines_read(texts[i], machines, &count, &err), -EINVAL);
		assert_non_null(strstr(err.text, "machine must be"));
	}
}

/* One more than fit into the filter would be cut. */
static void machines_have_a_bound(void **state)
{
	struct own_machine machines[OWN_MACHINES_MAX];
	struct error err = { "" };
	char text[2048] = "";
	size_t count, len = 0;

	(void)state;
	for (int i = 0; i < 200; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%sa", i ? ";" : "");
	assert_int_equal(own_machines_read(text, machines, &count, &err), -EINVAL);
}

static void patterns_match(void **state)
{
	(void)state;
	assert_true(pattern_list_matches(NULL, "m5.large"));
	assert_true(pattern_list_matches("", "m5.large"));
	assert_true(pattern_list_matches("m5.large", "m5.large"));
	assert_true(pattern_list_matches("c7*,m5*", "m5.large"));
	assert_true(pattern_list_matches("c7*,,*.large", "m5.large"));
	assert_false(pattern_list_matches("c7*,m5", "m5.large"));
	assert_false(pattern_list_matches(",", "m5.large"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(machines_are_read),
		cmocka_unit_test(what_is_no_machine_is_refused),
		cmocka_unit_test(machines_have_a_bound),
		cmocka_unit_test(patterns_match),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
