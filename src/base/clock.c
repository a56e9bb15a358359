/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"

#include <stdio.h>
#include <time.h>

#define OFFSET_READS 5

static int64_t read_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

uint64_t clock_boot_ns(void)
{
	return (uint64_t)read_ns(CLOCK_BOOTTIME);
}

int64_t clock_real_ns(void)
{
	return read_ns(CLOCK_REALTIME);
}

uint64_t clock_monotonic_ns(void)
{
	return (uint64_t)read_ns(CLOCK_MONOTONIC);
}

int64_t clock_boot_offset_ns(void)
{
	int64_t narrowest = INT64_MAX, offset = 0;

	/* The error of a measurement is at most the time between the reads before and after. */
	for (int i = 0; i < OFFSET_READS; i++) {
		int64_t before = read_ns(CLOCK_BOOTTIME);
		int64_t real = read_ns(CLOCK_REALTIME);
		int64_t after = read_ns(CLOCK_BOOTTIME);

		if (after - before < narrowest) {
			narrowest = after - before;
			offset = real - (before + narrowest / 2);
		}
	}
	return offset;
}

char *clock_format(int64_t real_ns, char text[CLOCK_TEXT_SIZE])
{
	time_t seconds = real_ns / NS_PER_S;
	struct tm parts;

	text[0] = '\0';
	if (real_ns <= 0 || !gmtime_r(&seconds, &parts))
		return text;
	snprintf(text, CLOCK_TEXT_SIZE, "%04u-%02u-%02uT%02u:%02u:%02u.%06uZ",
		 (unsigned)(parts.tm_year + 1900) % 10000, (unsigned)(parts.tm_mon + 1) % 100,
		 (unsigned)parts.tm_mday % 100, (unsigned)parts.tm_hour % 100,
		 (unsigned)parts.tm_min % 100, (unsigned)parts.tm_sec % 100,
		 (unsigned)(real_ns % NS_PER_S / NS_PER_US) % 1000000);
	return text;
}
