/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <time.h>

#include "base/clock.h"

static void instants_are_written_in_utc_with_microseconds(void **state)
{
	static const struct {
		int64_t ns;
		const char *text;
	} rows[] = {
		{ 1, "1970-01-01T00:00:00.000000Z" },
		{ 1795242600123456789, "2026-11-21T06:30:00.123456Z" },
		{ 1709164800000000000, "2024-02-29T00:00:00.000000Z" },
		{ INT64_MAX, "2262-04-11T23:47:16.854775Z" },
		{ 0, "" },
		{ -1, "" },
		{ INT64_MIN, "" },
	};
	char text[CLOCK_TEXT_SIZE];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(clock_format(rows[i].ns, text), rows[i].text);
}

static void the_offset_turns_boot_time_into_real_time(void **state)
{
	int64_t real_before = clock_real_ns(), boot_before = (int64_t)clock_boot_ns();
	int64_t offset = clock_boot_offset_ns();
	int64_t boot_after = (int64_t)clock_boot_ns(), real_after = clock_real_ns();

	/* Both clocks were read in between. */
	assert_true(offset >= real_before - boot_after);
	assert_true(offset <= real_after - boot_before);
}

static uint64_t kernel_ns(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static uint64_t real_ns(void)
{
	return (uint64_t)clock_real_ns();
}

static void the_clocks_are_those_of_the_kernel(void **state)
{
	static const struct {
		clockid_t id;
		uint64_t (*read)(void);
	} rows[] = {
		{ CLOCK_BOOTTIME, clock_boot_ns },
		{ CLOCK_REALTIME, real_ns },
		{ CLOCK_MONOTONIC, clock_monotonic_ns },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint64_t before = kernel_ns(rows[i].id), read = rows[i].read();

		assert_true(read >= before && read <= kernel_ns(rows[i].id));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instants_are_written_in_utc_with_microseconds),
		cmocka_unit_test(the_offset_turns_boot_time_into_real_time),
		cmocka_unit_test(the_clocks_are_those_of_the_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
