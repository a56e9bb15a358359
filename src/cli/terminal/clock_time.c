/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/terminal/clock_time.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

/* With seconds first: what follows is no part of the text then. */
static const struct {
	const char *format;
	bool dated;
} FORMATS[] = { { "%Y-%m-%dT%H:%M:%S", true }, { "%Y-%m-%d %H:%M:%S", true },
		{ "%Y-%m-%dT%H:%M", true },    { "%Y-%m-%d %H:%M", true },
		{ "%H:%M:%S", false },         { "%H:%M", false } };

/* A text of one of the formats, and a "Z" behind a date. */
static bool read_time(const char *text, struct tm *tm, bool *ret_dated, bool *ret_utc)
{
	for (size_t i = 0; i < sizeof(FORMATS) / sizeof(FORMATS[0]); i++) {
		struct tm found = *tm;
		const char *rest = strptime(text, FORMATS[i].format, &found);

		if (!rest || (*rest && (strcmp(rest, "Z") != 0 || !FORMATS[i].dated)))
			continue;
		*tm = found;
		*ret_dated = FORMATS[i].dated;
		*ret_utc = *rest == 'Z';
		return true;
	}
	return false;
}

static int64_t instant_of(struct tm *tm, bool utc)
{
	tm->tm_isdst = -1;
	return (int64_t)(utc ? timegm(tm) : mktime(tm)) * NS_PER_S;
}

int clock_time_parse(const char *text, int64_t now, int64_t *ret)
{
	time_t seconds = (time_t)(now / NS_PER_S);
	struct tm tm = { 0 };
	bool dated, utc;
	int day;

	if (!localtime_r(&seconds, &tm))
		return -EINVAL;
	tm.tm_sec = 0;
	if (!read_time(text, &tm, &dated, &utc))
		return -EINVAL;
	day = tm.tm_mday;
	*ret = instant_of(&tm, utc);
	if (tm.tm_mday != day) /* its month has no such day */
		return -EINVAL;
	if (!dated && *ret <= now) {
		tm.tm_mday++;
		*ret = instant_of(&tm, utc);
	}
	return 0;
}

char *clock_time_text(int64_t at, char text[CLOCK_TIME_SIZE])
{
	time_t seconds = (time_t)(at / NS_PER_S);
	struct tm tm;

	if (!gmtime_r(&seconds, &tm) || !strftime(text, CLOCK_TIME_SIZE, "%Y-%m-%dT%H:%M:%SZ", &tm))
		*text = '\0';
	return text;
}
