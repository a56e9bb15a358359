/* SPDX-License-Identifier: Apache-2.0 */
#include "inventory/utc.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

/* The digits behind a point, as µs; *text moves behind them. */
static int64_t read_fraction(const char **text)
{
	int64_t us = 0, unit = 100000;

	if (**text != '.')
		return 0;
	for (++*text; **text >= '0' && **text <= '9'; ++*text, unit /= 10)
		us += unit * (**text - '0');
	return us;
}

/* Two digits; < 0: they are none. */
static int read_two(const char *text)
{
	if (text[0] < '0' || text[0] > '9' || text[1] < '0' || text[1] > '9')
		return -1;
	return 10 * (text[0] - '0') + text[1] - '0';
}

/* "Z", "+02:00": in s. */
static bool read_offset(const char *text, int64_t *ret)
{
	int hours, minutes;

	*ret = 0;
	if (strcmp(text, "Z") == 0 || strcmp(text, "z") == 0)
		return true;
	if ((*text != '+' && *text != '-') || strlen(text) != 6 || text[3] != ':')
		return false;
	hours = read_two(text + 1);
	minutes = read_two(text + 4);
	if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59)
		return false;
	*ret = (int64_t)(hours * 60 + minutes) * (*text == '-' ? -60 : 60);
	return true;
}

char *utc_text(const char *text, char ret[CLOCK_TEXT_SIZE])
{
	struct tm parts = { 0 };
	const char *rest = text ? strptime(text, "%Y-%m-%dT%H:%M:%S", &parts) : NULL;
	int64_t us, offset;

	*ret = '\0';
	if (!rest || parts.tm_year < 70 || parts.tm_year > 299)
		return ret;
	us = read_fraction(&rest);
	if (!read_offset(rest, &offset))
		return ret;
	return clock_format((timegm(&parts) - offset) * NS_PER_S + us * NS_PER_US, ret);
}
