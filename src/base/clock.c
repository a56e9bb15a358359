/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"

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

uint64_t clock_process_cpu_ns(void)
{
	return (uint64_t)read_ns(CLOCK_PROCESS_CPUTIME_ID);
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

/* Writes the last `count` digits of a number and what follows them; returns where it ends. */
static char *put_digits(char *to, unsigned number, unsigned count, char behind)
{
	for (unsigned i = count; i--; number /= 10)
		to[i] = (char)('0' + number % 10);
	to[count] = behind;
	return to + count + 1;
}

/* Without printf, which takes longer than all else that a row of a list costs. */
char *clock_format(int64_t real_ns, char text[CLOCK_TEXT_SIZE])
{
	time_t seconds = real_ns / NS_PER_S;
	struct tm parts;
	char *to = text;

	text[0] = '\0';
	if (real_ns <= 0 || !gmtime_r(&seconds, &parts))
		return text;
	to = put_digits(to, (unsigned)(parts.tm_year + 1900), 4, '-');
	to = put_digits(to, (unsigned)(parts.tm_mon + 1), 2, '-');
	to = put_digits(to, (unsigned)parts.tm_mday, 2, 'T');
	to = put_digits(to, (unsigned)parts.tm_hour, 2, ':');
	to = put_digits(to, (unsigned)parts.tm_min, 2, ':');
	to = put_digits(to, (unsigned)parts.tm_sec, 2, '.');
	to = put_digits(to, (unsigned)(real_ns % NS_PER_S / NS_PER_US), 6, 'Z');
	*to = '\0';
	return text;
}
