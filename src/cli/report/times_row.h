/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "cli/terminal/times.h"

/* A row about where time went: name, time, bar, largest wait. */

#define TIMES_TIME_WIDTH 8
#define TIMES_WAIT_WIDTH 21 /* "pipe downstream 100 %" is the longest */
#define TIMES_BAR_WIDTH  25
/* Columns of all but the name; two blanks are between two columns. */
#define TIMES_REST_WIDTH (2 + TIMES_TIME_WIDTH + 2 + TIMES_BAR_WIDTH + 2 + TIMES_WAIT_WIDTH)

struct times_row {
	const char *indent;
	const char *name; /* untrusted */
	size_t name_width, bar_width;
	bool colourful;
	bool waits; /* with the column of the largest wait */
};

/* Appends the row without a line feed. */
void times_row_append(struct buffer *out, const struct times_row *row, const struct times *times);
/* Appends the title of such rows. */
void times_row_title(struct buffer *out, const struct times_row *row, const char *title,
		     const char *time);
