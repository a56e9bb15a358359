/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "cost/sheet.h"

/* Between sheet_*.c. */

/* Room for one more at the end of an array of `count` items: it grows at each power of two. NULL:
 * no memory. */
void *sheet_grow(void *items, size_t count, size_t size);
#define SHEET_GROW(items, count) sheet_grow(&(items), (count), sizeof(*(items)))

/* The one copy of a text that the sheet owns. NULL: no memory. */
const char *sheet_text(struct sheet *sheet, const char *text, size_t len);
char *sheet_copy(const char *text); /* NULL: ""; returns NULL: no memory */

/* Sums of counts that an agent may have made up stay at the largest one. */
static inline uint64_t sheet_sum(uint64_t a, uint64_t b)
{
	return a < INT64_MAX && b < INT64_MAX - a ? a + b : INT64_MAX;
}

/* The CPU time of a hold between two instants, such that those of a time that is cut add up. Of one
 * without a length, all where it is within. */
uint64_t sheet_hold_cpu(const struct sheet_hold *hold, int64_t since_at, int64_t until_at);

/* Adds the lines "NANOSECONDS TAB TOOL"; leaves out lines that are none. */
int sheet_add_tools(struct sheet *sheet, size_t task, const char *lines);

struct sheet_tool_part {
	const struct sheet_tool *tool;
	struct cost_part part;
};

/* The parts of an entry, shared among the tools of its task by their CPU time; ret: for each of
 * these. -ENOMEM. */
int sheet_share_out(const struct sheet *sheet, const struct sheet_entry *entry,
		    struct sheet_tool_part *ret);

/* Fills in what tasks are the same one, on several hosts. -ENOMEM. */
int sheet_find_shared(struct sheet *sheet);

struct sheet_stretch {
	struct cost_stretch stretch;
	bool known, billed; /* its price; that of the bill */
};

/* The stretches of [since_at, until_at), in which a host was up: at one price each. Room for
 * sheet_stretches_most() of them; returns how many. */
size_t sheet_stretches_most(const struct sheet_host *host);
size_t sheet_stretches(const struct sheet_host *host, int64_t since_at, int64_t until_at,
		       struct sheet_stretch *ret);

struct sheet_rows;

/* A new row; the row of an id, or of a key without one, which is made when it is new. SIZE_MAX: no
 * memory. */
size_t sheet_row_add(struct sheet_rows *rows, const char *key, const char *id);
size_t sheet_row_find(struct sheet_rows *rows, const char *key, const char *id);
/* Count a run and a sample (the sheet's one text of it) in a row, once each. -ENOMEM. */
int sheet_row_count_run(struct sheet_rows *rows, size_t at, size_t run);
int sheet_row_count_sample(struct sheet_rows *rows, size_t at, const char *sample);
/* 1: the task is counted in this row for the first time; 0: it was before. -ENOMEM. */
int sheet_row_count_task(struct sheet_rows *rows, size_t at, size_t task);
