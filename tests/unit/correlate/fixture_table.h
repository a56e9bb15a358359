/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * Tests as data: a text file, read line by line as words. Blanks part words; '…' and "…" keep them
 * together; \n, \t, \0 (ends the word), \\, \xHH, and \*COUNT*C (C, COUNT times) stand for bytes.
 * Lines that begin with '#' and empty ones are left out.
 */
#define TABLE_WORD_LIMIT 128

struct table {
	char *text; /* the file */
	char *at;
	int line;
	char raw[4096]; /* the line as it is in the file */
	char bytes[131072];
	const char *words[TABLE_WORD_LIMIT + 1]; /* a NULL follows */
	size_t count;
};

/* Opens tests/unit/correlate/NAME; fails the test when it cannot. */
void table_open(struct table *table, const char *name);
bool table_next(struct table *table);
/* The words of text become the table's. */
void table_read(struct table *table, const char *text);
void table_close(struct table *table);
