/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "cli/terminal/clock_time.h"

/* 2026-11-29T22:00:00Z, 17:00 where it is read. */
#define NOW (1795989600 * NS_PER_S)

static const struct {
	const char *text, *found; /* NULL: none */
} cases[] = {
	{ "8:00", "2026-11-30T13:00:00Z" },
	{ "08:00:30", "2026-11-30T13:00:30Z" },
	{ "17:01", "2026-11-29T22:01:00Z" },
	{ "17:00", "2026-11-30T22:00:00Z" },
	{ "2026-11-30T08:00", "2026-11-30T13:00:00Z" },
	{ "2026-11-30 08:00", "2026-11-30T13:00:00Z" },
	{ "2026-11-30T08:00Z", "2026-11-30T08:00:00Z" },
	{ "2026-07-01T08:00", "2026-07-01T12:00:00Z" },
	{ "8", NULL },
	{ "24:00", NULL },
	{ "8:60", NULL },
	{ "8:00Z", NULL },
	{ "8:00 pm", NULL },
	{ "", NULL },
	{ "2026-13-30T08:00", NULL },
	{ "2026-11-30", NULL },
	{ "2027-02-29T08:00", NULL },
	{ "2028-02-29T08:00Z", "2028-02-29T08:00:00Z" },
	{ "2026-11-30T", NULL },
	{ "tomorrow", NULL },
};

static void a_time_is_the_next_one(void **state)
{
	(void)state;
	assert_int_equal(setenv("TZ", "EST5EDT,M3.2.0,M11.1.0", 1), 0);
	tzset();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[CLOCK_TIME_SIZE];
		int64_t at = 0;
		int rc = clock_time_parse(cases[i].text, NOW, &at);

		print_message("%s\n", cases[i].text);
		assert_int_equal(rc, cases[i].found ? 0 : -EINVAL);
		if (cases[i].found)
			assert_string_equal(clock_time_text(at, text), cases[i].found);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_time_is_the_next_one) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
