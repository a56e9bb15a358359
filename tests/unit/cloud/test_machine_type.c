/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <string.h>

#include "cloud/machine_smaller.h"
#include "cloud/machine_type.h"

static void a_type_has_what_is_known_of_it(void **state)
{
	struct cloud_machine_type type;

	(void)state;
	assert_int_equal(cloud_machine_type("aws", "m6i.2xlarge", &type), 0);
	assert_string_equal(type.family, "m6i");
	assert_true(type.threads_per_core == 2 && type.instance.vcpus == 8);
	assert_true(fabs(type.network_bytes_s - 3.125e9 / 8) < 1);
	assert_true(fabs(type.network_peak_bytes_s - 12.5e9 / 8) < 1);
	assert_true(fabs(type.storage_bytes_s - 2500e6 / 8) < 1);
	assert_true(type.local_bytes == 0 && !type.burstable && type.previous_generation);
	assert_int_equal(cloud_machine_type("aws", "t3.medium", &type), 0);
	assert_true(type.burstable && !type.previous_generation);
	assert_int_equal(cloud_machine_type("gcp", "n2-standard-4", &type), 0);
	assert_true(type.threads_per_core == 0 && type.local_bytes < 0);
	assert_string_equal(type.family, "n2");
	assert_int_equal(cloud_machine_type("aws", "m6i", &type), -ENOENT);
	assert_int_equal(cloud_machine_type(NULL, NULL, &type), -ENOENT);
	assert_int_equal(cloud_machine_type("aws", "m6i.2xlarge\t2", &type), -ENOENT);
}

static void assert_smaller(const char *provider, const char *type, const char *expected)
{
	struct cloud_machine_type smaller = { .type = "" };

	assert_int_equal(cloud_machine_smaller(provider, type, &smaller), *expected ? 0 : -ENOENT);
	assert_string_equal(smaller.type, expected);
}

static void the_next_smaller_type_is_of_the_same_family_and_shape(void **state)
{
	(void)state;
	assert_smaller("aws", "m6i.2xlarge", "m6i.xlarge");
	assert_smaller("aws", "m6i.metal", "m6i.24xlarge");
	assert_smaller("aws", "m6i.large", "");
	assert_smaller("aws", "g4dn.2xlarge", "g4dn.xlarge");
	assert_smaller("aws", "g4dn.xlarge", "");
	assert_smaller("gcp", "n2-highmem-8", "n2-highmem-4");
	assert_smaller("gcp", "n2-standard-4", "n2-standard-2");
	assert_smaller("aws", "nonesuch.large", "");
	assert_smaller("", "", "");
}

static size_t count_types(const char *provider)
{
	struct cloud_machine_type type = { .type = "" };
	char last[CLOUD_TYPE_SIZE] = "";
	size_t count = 0;

	for (; cloud_machine_type_next(provider, last, &type); count++) {
		assert_true(strcmp(type.type, last) > 0);
		assert_true(type.instance.vcpus > 0 && type.instance.memory_bytes > 0);
		strcpy(last, type.type);
	}
	return count;
}

static void every_type_is_listed_once(void **state)
{
	(void)state;
	assert_int_equal(count_types("aws"), 1373);
	assert_int_equal(count_types("gcp"), 568);
	assert_int_equal(count_types("azure"), 0);
	assert_int_equal(count_types(""), 0);
}

static void every_region_is_listed_once(void **state)
{
	char region[CLOUD_REGION_SIZE], last[CLOUD_REGION_SIZE] = "";
	size_t count = 0, base = 0;

	(void)state;
	for (; cloud_region_next("aws", last, region); count++) {
		assert_true(strcmp(region, last) > 0 && cloud_has_region("aws", region));
		base += strcmp(region, "us-east-1") == 0;
		strcpy(last, region);
	}
	assert_true(count > 15);
	assert_int_equal(base, 1);
	assert_false(cloud_region_next("azure", "", region));
}

static void spot_machines_have_a_band(void **state)
{
	struct cloud_interruption band;

	(void)state;
	assert_int_equal(cloud_interruption("aws", "af-south-1", "c5.large", &band), 0);
	assert_string_equal(band.words, "10 to 15 %");
	assert_int_equal(cloud_interruption("aws", "af-south-1", "c5.2xlarge", &band), 0);
	assert_string_equal(band.words, "> 20 %");
	assert_true(band.high > band.low);
	assert_int_equal(cloud_interruption("aws", "xx-new-9", "c5.large", &band), -ENOENT);
	assert_int_equal(cloud_interruption("gcp", "us-central1", "n2-standard-4", &band), -ENOENT);
	assert_int_equal(cloud_interruption(NULL, NULL, NULL, &band), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_type_has_what_is_known_of_it),
		cmocka_unit_test(the_next_smaller_type_is_of_the_same_family_and_shape),
		cmocka_unit_test(every_type_is_listed_once),
		cmocka_unit_test(every_region_is_listed_once),
		cmocka_unit_test(spot_machines_have_a_band),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
