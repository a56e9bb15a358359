/* SPDX-License-Identifier: Apache-2.0 */
#include "base/config/config_value.h"

#include "base/clock.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each parses text into *member; -EINVAL: not of the type. *number: the value that min and max
 * bound. */
typedef int read_value(const char *text, void *member, double *number);

static int read_text(const char *text, void *member, double *number)
{
	char **kept = member, *copy = strdup(text);

	if (!copy)
		return -ENOMEM;
	free(*kept);
	*kept = copy;
	return 0;
}

static int read_bool(const char *text, void *member, double *number)
{
	static const char *const words[] = { "false", "true", "no", "yes", "off", "on", "0", "1" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (!strcasecmp(text, words[i])) {
			*(bool *)member = i % 2;
			return 0;
		}
	}
	return -EINVAL;
}

static int read_u64(const char *text, void *member, double *number)
{
	char *end;

	if (!isdigit((unsigned char)*text)) /* strtoull takes "-1" and " 1" */
		return -EINVAL;
	errno = 0;
	*(uint64_t *)member = strtoull(text, &end, 10);
	*number = (double)*(uint64_t *)member;
	return errno || *end ? -EINVAL : 0;
}

static int read_double(const char *text, void *member, double *number)
{
	char *end;

	*number = strtod(text, &end);
	*(double *)member = *number;
	return end == text || *end || !isfinite(*number) ? -EINVAL : 0;
}

static int read_bytes(const char *text, void *member, double *number)
{
	int r = text_parse_bytes(text, member);

	*number = (double)*(uint64_t *)member;
	return r ? -EINVAL : 0;
}

/* "100ms": a number and a unit; only 0 needs none. */
static int read_duration(const char *text, void *member, double *number)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = { { "ns", 1 },     { "us", 1e3 },   { "µs", 1e3 },
		      { "ms", 1e6 },   { "s", 1e9 },    { "m", 60e9 },
		      { "min", 60e9 }, { "h", 3600e9 }, { "d", 24 * 3600e9 } };
	char *end;
	double count = strtod(text, &end);

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(end, units[i].name) != 0 && (count != 0 || *end))
			continue;
		*number = count * units[i].ns;
		if (!(*number < 9e18)) /* 285 years */
			return -EINVAL;
		*(uint64_t *)member = (uint64_t)llround(*number);
		return 0;
	}
	return -EINVAL;
}

static const struct {
	read_value *read;
	size_t size;
	const char *what;
} types[] = {
	[CONFIG_TEXT] = { read_text, sizeof(char *), "a text" },
	[CONFIG_BOOL] = { read_bool, sizeof(bool), "true or false" },
	[CONFIG_U64] = { read_u64, sizeof(uint64_t), "a whole number" },
	[CONFIG_DOUBLE] = { read_double, sizeof(double), "a number" },
	[CONFIG_BYTES] = { read_bytes, sizeof(uint64_t), "a size such as 512M or 8G" },
	[CONFIG_DURATION] = { read_duration, sizeof(uint64_t), "a duration such as 5s or 100ms" },
};

/* " from 1 to 10", as the type is written; "" without bounds. */
static const char *bounds(const struct config_option *option, char *text, size_t size)
{
	char least[32], most[32];

	text[0] = '\0';
	if (option->min == 0 && option->max == 0)
		return text;
	snprintf(least, sizeof(least), "%.15g", option->min);
	snprintf(most, sizeof(most), "%.15g", option->max);
	if (option->type == CONFIG_BYTES) {
		text_bytes((uint64_t)option->min, least, sizeof(least));
		text_bytes((uint64_t)option->max, most, sizeof(most));
	} else if (option->type == CONFIG_DURATION) {
		text_duration((uint64_t)option->min, least, sizeof(least));
		text_duration((uint64_t)option->max, most, sizeof(most));
	}
	snprintf(text, size, " from %s to %s", least, most);
	return text;
}

int config_set(void *settings, const struct config_option *option, const char *text,
	       struct error *err)
{
	char *member = (char *)settings + option->offset, range[80];
	union {
		char *words;
		uint64_t number;
		double real;
	} before;
	double number = option->min;
	int r;

	memcpy(&before, member, types[option->type].size);
	r = types[option->type].read(text, member, &number);
	if (!r && (option->min != 0 || option->max != 0) &&
	    (number < option->min || number > option->max))
		r = -EINVAL;
	if (!r)
		return 0;
	memcpy(member, &before, types[option->type].size);
	if (r == -ENOMEM)
		return error_set(err, r, "no memory for '%s'", option->key);
	return error_set(err, r, "'%s' must be %s%s, not '%.80s'", option->key,
			 types[option->type].what, bounds(option, range, sizeof(range)), text);
}
