/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "server/sweep/held_price.h"

/* What a part of a host costs. */

#define GIB (1024.0 * 1024 * 1024)

static const struct sweep_host HOST = { .provider = "aws",
					.instance_type = "m6i.2xlarge",
					.cpus = 8,
					.memory_bytes = 32 * (uint64_t)GIB,
					.nusd_hour = 400000000 };

static int64_t price(double cpus, double gib)
{
	return held_nusd_hour(&HOST, &(struct held){ .cpus = cpus, .memory_bytes = gib * GIB });
}

static void parts_of_a_host_add_up_to_its_price(void **state)
{
	assert_int_equal(price(8, 32), HOST.nusd_hour);
	assert_int_equal(price(80, 320), HOST.nusd_hour); /* it has no more */
	assert_int_equal(price(0, 0), 0);
	assert_in_range(price(8, 0) + price(0, 32), HOST.nusd_hour - 1, HOST.nusd_hour + 1);
	assert_in_range(2 * price(2, 8), price(4, 16) - 1, price(4, 16) + 1);
	assert_true(price(8, 0) > price(0, 32)); /* a vCPU costs more than its 4 GiB */
}

static void what_is_not_known_has_no_price(void **state)
{
	struct sweep_host host = HOST;

	host.nusd_hour = -1;
	assert_int_equal(held_nusd_hour(&host, &(struct held){ .cpus = 1 }), -1);
	host = (struct sweep_host){ .provider = "", .instance_type = "", .nusd_hour = 1000 };
	assert_int_equal(held_nusd_hour(&host, &(struct held){ 0 }), 0);
	assert_int_equal(
		held_nusd_hour(&host, &(struct held){ .cpus = 1, .memory_bytes = 1, .gpus = 1 }),
		1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_of_a_host_add_up_to_its_price),
		cmocka_unit_test(what_is_not_known_has_no_price),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
