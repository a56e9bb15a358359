/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/terminal/clock_time.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

#define DATE_LEN 10

/* "8:00", "08:00:30"; the rest of the text is what follows it. */
static const char *read_clock(const char *text, struct tm *tm)
{
	int hour, minute, second = 0, len = 0, more = 0;

	if (sscanf(text, "%2d:%2d%n", &hour, &minute, &len) != 2 || !len)
		return NULL;
	if (sscanf(text + len, ":%2d%n", &second, &more) == 1)
		len += more;
	if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59)
		return NULL;
	tm->tm_hour = hour;
	tm->tm_min = minute;
	tm->tm_sec = second;
	return text + len;
}

static const char *read_date(const char *text, struct tm *tm)
{
	int len = 0;

	if (sscanf(text, "%4d-%2d-%2d%n", &tm->tm_year, &tm->tm_mon, &tm->tm_mday, &len) != 3 ||
	    len != DATE_LEN || tm->tm_year < 1970 || tm->tm_mon < 1 || tm->tm_mon > 12 ||
	    tm->tm_mday < 1 || tm->tm_mday > 31)
		return NULL;
	tm->tm_year -= 1900;
	tm->tm_mon--;
	return text + len;
}

static int64_t instant_of(struct tm *tm, bool utc)
{
	tm->tm_isdst = -1;
	return (int64_t)(utc ? timegm(tm) : mktime(tm)) * NS_PER_S;
}

int clock_time_parse(const char *text, int64_t now, int64_t *ret)
{
	time_t seconds = (time_t)(now / NS_PER_S);
	bool dated = strlen(text) > DATE_LEN && text[4] == '-';
	struct tm tm = { 0 };
	bool utc;

	if (dated) {
		text = read_date(text, &tm);
		if (!text || (*text != 'T' && *text != ' '))
			return -EINVAL;
		text++;
	} else if (!localtime_r(&seconds, &tm)) {
		return -EINVAL;
	}
	text = read_clock(text, &tm);
	if (!text || (*text && strcmp(text, "Z") != 0) || (*text && !dated))
		return -EINVAL;
	utc = *text == 'Z';
	*ret = instant_of(&tm, utc);
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
