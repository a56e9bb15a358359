/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <errno.h>

#include "cost/instant.h"

static void days_and_instants_of_utc_are_times_and_nothing_else_is(void **state)
{
	static const struct {
		const char *text;
		int64_t s; /* -1: it is none */
	} rows[] = {
		{ "1970-01-01", 0 },
		{ "2026-11-29", 1795910400 },
		{ "2026-11-29T10:30Z", 1795948200 },
		{ "2026-11-29T10:30:15Z", 1795948215 },
		{ "2199-12-31", 7258032000 },
		{ "2200-01-01", -1 },
		{ "1969-12-31", -1 },
		{ "2026-02-29", -1 },
		{ "2026-13-01", -1 },
		{ "2026-11-29T10:30", -1 },
		{ "2026-11-29T10:30:15+01:00", -1 },
		{ "2026-11-29 ", -1 },
		{ "yesterday", -1 },
		{ "", -1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct error err = { 0 };
		int64_t ns = -1;
		int rc = instant_parse(rows[i].text, &ns, &err);

		assert_int_equal(rc, rows[i].s < 0 ? -EINVAL : 0);
		if (rc == 0)
			assert_int_equal(ns, rows[i].s * 1000000000);
		else
			assert_non_null(strstr(error_text(&err), "is no time: write a day"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(days_and_instants_of_utc_are_times_and_nothing_else_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
