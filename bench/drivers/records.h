/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/*
 * What correlate.py hands to the drivers: a file of records of words. A word ends with \x1f, a
 * record with \x1e.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"

#define FILE_LIMIT (64u << 20)

struct record {
	const char **words; /* a NULL follows */
	size_t count;
};

struct records {
	struct record *items;
	size_t count;
};

static void need(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "%s\n", what);
	exit(99);
}

static size_t count_of(const char *text, char byte)
{
	size_t count = 0;

	for (; *text; text++)
		count += *text == byte;
	return count;
}

static struct records records_read(const char *path)
{
	struct records records = { 0 };
	const char **words;
	char *text;
	size_t len;

	need(file_read(AT_FDCWD, path, FILE_LIMIT, &text, &len) == 0, path);
	records.items = calloc(count_of(text, '\x1e') + 1, sizeof(*records.items));
	words = calloc(count_of(text, '\x1f') + count_of(text, '\x1e') + 1, sizeof(*words));
	need(records.items && words, "no memory");
	for (char *at = text, *line; (line = strsep(&at, "\x1e")) && at;) {
		struct record *record = &records.items[records.count++];
		char *word;

		record->words = words;
		while ((word = strsep(&line, "\x1f")) && line)
			words[record->count++] = word;
		words += record->count + 1;
	}
	return records;
}

/* CPU time of this program, or what the clock on the wall says: what else runs here counts only
 * for that. */
static long long now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}
