/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "inventory/inventory_settings.h"

#define NAME_16 "abcdefghijklmnop"

static struct error err;

static int parse(const char *text, struct inventory_settings **ret)
{
	err = (struct error){ "" };
	return inventory_settings_parse(text, strlen(text), "f", ret, &err);
}

static void accounts_have_presets_and_lists(void **state)
{
	CLEANUP(inventory_settings_freep) struct inventory_settings *settings = NULL;
	const struct inventory_account *account;

	assert_int_equal(parse("accounts:\n"
			       "  - name: prod\n    provider: aws\n    regions: [a-1, b-2]\n"
			       "    interval: 1h\n    role: arn:aws:iam::1:role/x\n"
			       "  - {name: lab, provider: gcp, projects: [p]}\n",
			       &settings),
			 0);
	assert_int_equal(settings->count, 2);
	account = &settings->accounts[0];
	assert_string_equal(account->profile, "default");
	assert_string_equal(account->regions.items[1], "b-2");
	assert_true(account->interval_ns == 3600 * UINT64_C(1000000000));
	account = &settings->accounts[1];
	assert_string_equal(account->projects.items[0], "p");
	assert_int_equal(account->regions.count, 0);
	assert_true(account->interval_ns == 300 * UINT64_C(1000000000));
}

static void an_empty_file_has_no_accounts(void **state)
{
	static const char *const TEXTS[] = { "", "# none\n", "accounts: []\n" };

	for (size_t i = 0; i < sizeof(TEXTS) / sizeof(TEXTS[0]); i++) {
		CLEANUP(inventory_settings_freep) struct inventory_settings *settings = NULL;

		assert_int_equal(parse(TEXTS[i], &settings), 0);
		assert_int_equal(settings->count, 0);
	}
}

static void what_is_wrong_is_said_with_its_place(void **state)
{
	static const struct {
		const char *text, *words;
	} CASES[] = {
		{ "accounts:\n  - {provider: aws}\n", "f:2:5: an account needs a 'name'" },
		{ "accounts:\n  - {name: a, provider: azure}\n", "aws or gcp, not azure" },
		{ "accounts:\n  - {name: \"a\\tb\", provider: aws}\n", "no control characters" },
		{ "accounts:\n  - {name: " NAME_16 NAME_16 NAME_16 NAME_16 ", provider: aws}\n",
		  "at most 63 bytes" },
		{ "accounts:\n  - {name: a, provider: aws, regoins: [x]}\n", "regions" },
		{ "accounts:\n  - {name: a, provider: aws, regions: x}\n", "expected a list" },
		{ "accounts:\n  - {name: a, provider: aws, regions: [x/y]}\n", "x/y" },
		{ "accounts:\n  - {name: a, provider: aws, regions: [x], regions: [y]}\n",
		  "given twice" },
		{ "accounts:\n  - {name: a, provider: aws, interval: 10}\n", "interval" },
		{ "accounts:\n  - {name: a, provider: aws, interval: 0s}\n", "interval" },
		{ "accounts:\n  - {name: a, provider: aws, page-size: 4}\n", "page-size" },
		{ "accounts:\n  - {name: a, provider: aws}\n  - {name: a, provider: gcp}\n",
		  "f:3:5: another account has the name a" },
		{ "accounts: {a: b}\n", "expected a list" },
		{ "accounts:\n  - a\n", "key: value" },
		{ "account:\n  - a\n", "expected accounts:" },
		{ "accounts: []\nmore: []\n", "expected accounts:" },
		{ "- a\n", "expected accounts:" },
		{ "accounts: [\n", "f:" },
	};

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		struct inventory_settings *settings = NULL;

		assert_int_equal(parse(CASES[i].text, &settings), -EINVAL);
		if (!strstr(error_text(&err), CASES[i].words))
			fail_msg("%s: %s", CASES[i].text, error_text(&err));
	}
}

/* A list of so many of them. */
static char *repeat(const char *head, const char *item, int count, const char *end)
{
	struct buffer text;

	buffer_init(&text, 0);
	buffer_append_text(&text, head);
	for (int i = 0; i < count; i++)
		buffer_printf(&text, item, i);
	buffer_append_text(&text, end);
	return buffer_take(&text);
}

static void more_accounts_or_regions_than_can_be_are_refused(void **state)
{
	for (int i = 0; i < 2; i++) {
		CLEANUP(freep)
		char *accounts = repeat("accounts:\n", "  - {name: a%d, provider: aws}\n",
					INVENTORY_ACCOUNTS + i, "");
		CLEANUP(freep)
		char *regions = repeat("accounts:\n  - {name: a, provider: aws, regions: [",
				       "r%d, ", INVENTORY_NAMES + i, "]}\n");
		CLEANUP(inventory_settings_freep) struct inventory_settings *many = NULL;
		CLEANUP(inventory_settings_freep) struct inventory_settings *wide = NULL;

		assert_int_equal(parse(accounts, &many), i ? -EINVAL : 0);
		assert_int_equal(parse(regions, &wide), i ? -EINVAL : 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accounts_have_presets_and_lists),
		cmocka_unit_test(an_empty_file_has_no_accounts),
		cmocka_unit_test(what_is_wrong_is_said_with_its_place),
		cmocka_unit_test(more_accounts_or_regions_than_can_be_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
