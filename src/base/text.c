/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include "base/clock.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define WORD_LIMIT 64

/* Levenshtein's distance; words longer than WORD_LIMIT are near no other. */
static size_t edit_distance(const char *a, const char *b)
{
	size_t a_len = strlen(a), b_len = strlen(b);
	size_t row[WORD_LIMIT + 1];

	if (a_len > WORD_LIMIT || b_len > WORD_LIMIT)
		return SIZE_MAX;
	for (size_t j = 0; j <= b_len; j++)
		row[j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= b_len; j++) {
			size_t best = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[b_len];
}

const char *text_nearest(const char *word, const char *const *candidates, size_t count)
{
	size_t nearest = 1 + strlen(word) / 3;
	const char *found = NULL;

	for (size_t i = 0; i < count; i++) {
		size_t distance = edit_distance(word, candidates[i]);

		if (distance < nearest || (distance == nearest && !found)) {
			nearest = distance;
			found = candidates[i];
		}
	}
	return found;
}

char *text_bytes(uint64_t bytes, char *text, size_t size)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	double value = (double)bytes;
	size_t unit = 0;

	while (value >= 999.5 && unit + 1 < sizeof(units) / sizeof(*units)) {
		value /= 1024;
		unit++;
	}
	snprintf(text, size, unit && value < 99.95 ? "%.1f %s" : "%.0f %s", value, units[unit]);
	return text;
}

/* Above a minute: the two largest units, cut (never rounded up to "60s"). */
static void long_duration(uint64_t s, char *text, size_t size)
{
	unsigned long long days = s / 86400, hours = s / 3600, minutes = s / 60;

	if (days)
		snprintf(text, size, "%llud %02lluh", days, hours % 24);
	else if (hours)
		snprintf(text, size, "%lluh %02llum", hours, minutes % 60);
	else
		snprintf(text, size, "%llum %02us", minutes, (unsigned)(s % 60));
}

char *text_duration(uint64_t ns, char *text, size_t size)
{
	if (ns < NS_PER_US)
		snprintf(text, size, "%u ns", (unsigned)ns);
	else if (ns < NS_PER_MS)
		snprintf(text, size, "%u µs", (unsigned)(ns / NS_PER_US));
	else if (ns < NS_PER_S)
		snprintf(text, size, "%u ms", (unsigned)(ns / NS_PER_MS));
	else if (ns < 60 * NS_PER_S)
		snprintf(text, size, "%u.%u s", (unsigned)(ns / NS_PER_S),
			 (unsigned)(ns % NS_PER_S / (NS_PER_S / 10)));
	else
		long_duration(ns / NS_PER_S, text, size);
	return text;
}

/* The power of 1024 of a suffix, or -1. */
static int suffix_power(const char *suffix)
{
	static const char letters[] = "KMGTPE";
	const char *letter;

	if (!*suffix || !strcasecmp(suffix, "B"))
		return 0;
	letter = strchr(letters, toupper((unsigned char)*suffix));
	suffix++;
	if (!letter || (*suffix && strcasecmp(suffix, "B") != 0 && strcasecmp(suffix, "i") != 0 &&
			strcasecmp(suffix, "iB") != 0))
		return -1;
	return (int)(letter - letters) + 1;
}

int text_parse_bytes(const char *text, uint64_t *ret)
{
	uint64_t whole = 0, unit;
	double part = 0, digit = 0.1;
	int power;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	for (; isdigit((unsigned char)*text); text++) {
		if (__builtin_mul_overflow(whole, 10, &whole) ||
		    __builtin_add_overflow(whole, (uint64_t)(*text - '0'), &whole))
			return -ERANGE;
	}
	if (*text == '.' && isdigit((unsigned char)text[1])) {
		for (text++; isdigit((unsigned char)*text); text++) {
			part += digit * (*text - '0');
			digit /= 10;
		}
	}
	text += *text == ' ';
	power = suffix_power(text);
	if (power < 0)
		return -EINVAL;
	unit = (uint64_t)1 << (10 * power);
	if (__builtin_mul_overflow(whole, unit, &whole) ||
	    __builtin_add_overflow(whole, (uint64_t)llround(part * (double)unit), &whole))
		return -ERANGE;
	*ret = whole;
	return 0;
}

const char *text_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

char *text_cut(const char *from, size_t len, char *text, size_t size)
{
	size_t cut = len < size ? len : size - 1;

	memcpy(text, from, cut);
	text[cut] = '\0';
	return text;
}

bool text_starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool text_ends_with(const char *text, const char *suffix)
{
	size_t text_len = strlen(text), suffix_len = strlen(suffix);

	return text_len >= suffix_len && strcmp(text + text_len - suffix_len, suffix) == 0;
}

bool text_matches(const char *pattern, const char *text)
{
	const char *star = strchr(pattern, '*');
	size_t head = star ? (size_t)(star - pattern) : 0;

	if (!star)
		return strcmp(pattern, text) == 0;
	return strncmp(pattern, text, head) == 0 && text_ends_with(text + head, star + 1);
}

bool text_is_one_of(const char *text, const char *const *list)
{
	while (*list && strcmp(text, *list) != 0)
		list++;
	return *list;
}
