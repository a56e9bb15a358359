/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdio.h>

/* Lines of text that are laid out before they are written, so that they can be counted. */

#define LINES_MAX 10000

struct lines {
	char **text;
	size_t count, capacity;
};

/* Frees the lines. For CLEANUP. */
void lines_clear(struct lines *lines);
/* Adds a line as it is. Beyond LINES_MAX, or without memory, nothing is added. */
void lines_add(struct lines *lines, const char *text);
/* Adds untrusted text, safe for a terminal, broken between words into lines of at most `width`
 * columns (0: one line). The first line begins with `first`, the others with `rest`, both trusted.
 * A word that is wider than a line is broken anywhere. */
void lines_wrap(struct lines *lines, const char *first, const char *rest, const char *text,
		size_t width);
/* Removes what is beyond `most` lines (at least 1); the last line that stays then ends with "…". */
void lines_shorten(struct lines *lines, size_t most, size_t width);
/* Moves the lines of `from` behind those of `lines`; `from` is empty then. */
void lines_join(struct lines *lines, struct lines *from);
void lines_print(FILE *out, const struct lines *lines);
