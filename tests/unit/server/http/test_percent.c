/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "server/http/percent.h"

static const struct {
	const char *encoded;
	bool plus;
	int rc;
	const char *text;
} CASES[] = {
	{ "run-1", false, 0, "run-1" },
	{ "a%20b", false, 0, "a b" },
	{ "a+b", false, 0, "a+b" },
	{ "a+b", true, 0, "a b" },
	{ "%e2%82%AC", false, 0, "\xe2\x82\xac" },
	{ "%2e%2e%2fetc", false, 0, "../etc" },
	{ "", false, 0, "" },
	{ "a%00b", false, -EINVAL, NULL },
	{ "a%0ab", false, -EINVAL, NULL },
	{ "a%7f", false, -EINVAL, NULL },
	{ "a\x01", false, -EINVAL, NULL },
	{ "%", false, -EINVAL, NULL },
	{ "%4", false, -EINVAL, NULL },
	{ "%zz", false, -EINVAL, NULL },
	{ "%ff%fe", false, -EINVAL, NULL },
	{ "%c0%af", false, -EINVAL, NULL },
	{ "%ed%a0%80", false, -EINVAL, NULL },
	{ "0123456789abcde", false, 0, "0123456789abcde" },
	{ "0123456789abcdef", false, -EMSGSIZE, NULL },
};

static void each_text_is_decoded_or_refused(void **state)
{
	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		char text[16];
		int rc = percent_decode(CASES[i].encoded, strlen(CASES[i].encoded), CASES[i].plus,
					text, sizeof(text));

		if (rc != CASES[i].rc)
			fail_msg("%s: %d, not %d", CASES[i].encoded, rc, CASES[i].rc);
		if (rc == 0)
			assert_string_equal(text, CASES[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_text_is_decoded_or_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
