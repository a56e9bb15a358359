/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <regex.h>
#include <stdbool.h>
#include <string.h>

#include "base/id.h"

static bool matches(const char *text, const char *pattern)
{
	regex_t compiled;
	bool found;

	assert_int_equal(regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB), 0);
	found = regexec(&compiled, text, 0, NULL, 0) == 0;
	regfree(&compiled);
	return found;
}

static void random_ids_are_uuids_of_version_4_and_differ(void **state)
{
	struct id a = id_random(), b = id_random();

	assert_true(matches(
		a.text, "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"));
	assert_string_not_equal(a.text, b.text);
}

/* SHA-256("abc") = ba7816bf 8f01cfea 414140de 5dae2223 …; version 8 and the variant written over
 * it. */
static void the_same_bytes_give_the_same_id_for_ever(void **state)
{
	assert_string_equal(id_of("abc", 3).text, "ba7816bf-8f01-8fea-8141-40de5dae2223");
	assert_string_not_equal(id_of("abd", 3).text, id_of("abc", 3).text);
	assert_string_equal(id_of("", 0).text, "e3b0c442-98fc-8c14-9afb-f4c8996fb924");
}

static void secrets_are_hex_of_the_length_asked_for(void **state)
{
	char a[401], b[401], none[1] = "x";

	id_secret(a, 200);
	id_secret(b, 200);
	assert_int_equal(strspn(a, "0123456789abcdef"), 400);
	assert_int_equal(strlen(a), 400);
	assert_string_not_equal(a, b);
	assert_memory_not_equal(a, a + 128, 128); /* drawn in parts, each random */
	id_secret(none, 0);
	assert_string_equal(none, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_ids_are_uuids_of_version_4_and_differ),
		cmocka_unit_test(the_same_bytes_give_the_same_id_for_ever),
		cmocka_unit_test(secrets_are_hex_of_the_length_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
