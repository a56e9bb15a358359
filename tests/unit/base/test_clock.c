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
	int64_t offset = clock_boot_offset_ns();
	int64_t before = clock_real_ns(), converted = (int64_t)clock_boot_ns() + offset,
		after = clock_real_ns();

	/* A microsecond of its own error, and what a busy machine adds between two reads. */
	assert_true(converted >= before - NS_PER_MS && converted <= after + NS_PER_MS);
}

static void the_clocks_are_those_of_the_kernel(void **state)
{
	struct timespec boot, real;
	uint64_t earlier = clock_monotonic_ns();

	clock_gettime(CLOCK_BOOTTIME, &boot);
	clock_gettime(CLOCK_REALTIME, &real);
	assert_true(clock_boot_ns() / NS_PER_S - (uint64_t)boot.tv_sec <= 1);
	assert_true(clock_real_ns() / NS_PER_S - real.tv_sec <= 1);
	assert_true(clock_monotonic_ns() >= earlier);
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
