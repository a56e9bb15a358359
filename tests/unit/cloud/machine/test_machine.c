/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "cloud/machine/machine.h"

static const struct {
	const char *provider;
	enum cloud_fact fact;
	const char *text;
	bool fits;
} cases[] = {
	{ "aws", CLOUD_INSTANCE_ID, "i-0123456789abcdef0", true },
	{ "aws", CLOUD_INSTANCE_ID, "i-1234abcd", true }, /* of before 2016 */
	{ "aws", CLOUD_INSTANCE_ID, "1234567890", false },
	{ "aws", CLOUD_INSTANCE_ID, "i-", false },
	{ "aws", CLOUD_INSTANCE_ID, "i-0123456789abcdef0\n", false },
	{ "aws", CLOUD_INSTANCE_ID, "i-01\x1b[31m", false },
	{ "aws", CLOUD_INSTANCE_ID, "<html>", false },
	{ "aws", CLOUD_INSTANCE_ID, "i-000000000000000000000000000000000000", false },
	{ "gcp", CLOUD_INSTANCE_ID, "4520031799277581759", true },
	{ "gcp", CLOUD_INSTANCE_ID, "i-0123456789abcdef0", false },
	{ "gcp", CLOUD_INSTANCE_ID, "-1", false },
	{ "aws", CLOUD_INSTANCE_TYPE, "m6i.large", true },
	{ "aws", CLOUD_INSTANCE_TYPE, "u-6tb1.112xlarge", true },
	{ "aws", CLOUD_INSTANCE_TYPE, "large", false },
	{ "aws", CLOUD_INSTANCE_TYPE, "../etc.passwd", false },
	{ "gcp", CLOUD_INSTANCE_TYPE, "n2-custom-4-8192-ext", true },
	{ "gcp", CLOUD_INSTANCE_TYPE, "projects/1/machineTypes/n1", false },
	{ "aws", CLOUD_REGION, "us-gov-west-1", true },
	{ "aws", CLOUD_REGION, "us east", false },
	{ "aws", CLOUD_ZONE, "us-east-1-wl1-bos-wlz-1", true },
	{ "gcp", CLOUD_ZONE, "europe-west4-b", true },
	{ "gcp", CLOUD_ZONE, "", false },
	{ "aws", CLOUD_ACCOUNT_ID, "123456789012", true },
	{ "aws", CLOUD_ACCOUNT_ID, "12345678901", false },
	{ "aws", CLOUD_ACCOUNT_ID, "1234567890123", false },
	{ "gcp", CLOUD_ACCOUNT_ID, "example.com:my-project", true },
	{ "gcp", CLOUD_ACCOUNT_ID, "My Project", false },
	{ "aws", CLOUD_PURCHASE, "spot", true },
	{ "aws", CLOUD_PURCHASE, "stolen", false },
	{ "", CLOUD_INSTANCE_ID, "i-0123456789abcdef0", false },
};

static void a_fact_is_taken_in_its_form_alone(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(cloud_machine_clear) struct cloud_machine machine;

		cloud_machine_init(&machine, cases[i].provider);
		if (cloud_machine_set(&machine, cases[i].fact, cases[i].text) != cases[i].fits)
			fail_msg("%s: '%s'", cases[i].provider, cases[i].text);
		assert_string_equal(machine.facts[cases[i].fact],
				    cases[i].fits ? cases[i].text : "");
	}
}

static void a_fact_that_does_not_fit_leaves_the_one_before(void **state)
{
	CLEANUP(cloud_machine_clear) struct cloud_machine machine;

	cloud_machine_init(&machine, "aws");
	assert_true(cloud_machine_set(&machine, CLOUD_REGION, "us-east-1"));
	assert_false(cloud_machine_set(&machine, CLOUD_REGION, "US"));
	assert_string_equal(machine.facts[CLOUD_REGION], "us-east-1");
}

static void a_zone_is_in_its_region(void **state)
{
	CLEANUP(cloud_machine_clear) struct cloud_machine machine;

	cloud_machine_init(&machine, "aws");
	assert_true(cloud_machine_set(&machine, CLOUD_REGION, "us-west-2"));
	assert_true(cloud_machine_agrees(&machine));
	assert_true(cloud_machine_set(&machine, CLOUD_ZONE, "us-west-2-lax-1a"));
	assert_true(cloud_machine_agrees(&machine));
	assert_true(cloud_machine_set(&machine, CLOUD_ZONE, "us-east-1a"));
	assert_false(cloud_machine_agrees(&machine));
}

static void tags_are_bounded(void **state)
{
	CLEANUP(cloud_machine_clear) struct cloud_machine machine;
	char key[CLOUD_TAG_KEY + 2], value[CLOUD_TAG_VALUE + 2];

	cloud_machine_init(&machine, "aws");
	memset(key, 'k', sizeof(key));
	key[CLOUD_TAG_KEY] = '\0';
	memset(value, 'v', sizeof(value));
	value[CLOUD_TAG_VALUE] = '\0';
	assert_true(cloud_machine_add_tag(&machine, key, value));
	key[CLOUD_TAG_KEY] = 'k';
	key[CLOUD_TAG_KEY + 1] = '\0';
	assert_false(cloud_machine_add_tag(&machine, key, "v"));
	value[CLOUD_TAG_VALUE] = 'v';
	value[CLOUD_TAG_VALUE + 1] = '\0';
	assert_false(cloud_machine_add_tag(&machine, "key", value));
	assert_false(cloud_machine_add_tag(&machine, "", "v"));
	assert_false(cloud_machine_add_tag(&machine, "a/../b", "v"));
	assert_false(cloud_machine_add_tag(&machine, "a b", "v"));
	assert_false(cloud_machine_add_tag(&machine, "a", "red\x1b[31m"));
	assert_false(cloud_machine_add_tag(&machine, "a", "\xff"));
	assert_int_equal(machine.tag_count, 1);
	while (machine.tag_count < CLOUD_TAGS_MAX)
		assert_true(cloud_machine_add_tag(&machine, "aws:k=a.b,c_d@e+f-g", "\xc3\xa4 b"));
	assert_false(cloud_machine_add_tag(&machine, "one", "more"));
	assert_string_equal(machine.tags[CLOUD_TAGS_MAX - 1].value, "\xc3\xa4 b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fact_is_taken_in_its_form_alone),
		cmocka_unit_test(a_fact_that_does_not_fit_leaves_the_one_before),
		cmocka_unit_test(a_zone_is_in_its_region),
		cmocka_unit_test(tags_are_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
