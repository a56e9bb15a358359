/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "cost/split/entry.h"

/*
 * The entries that are there in a cell. Cells are visited in order of time, so that each entry is
 * taken up once and left once, whatever its length.
 */
struct timeline {
	struct split_entry **starts; /* owned: all entries by the begin of their time */
	size_t count, next;          /* of starts; the first that was not taken up yet */
	struct split_entry **active; /* owned: those of the cell, by rank (their order in memory) */
	size_t active_count;
	struct split_entry **arrived; /* owned: room for those that begin in a cell */
};

/* entries are borrowed. 0 or -ENOMEM; timeline_clear frees either way. */
int timeline_make(struct timeline *timeline, struct split_entry *entries, size_t count);
/* Sets active to the entries that have some of their time in the cell, which begins no earlier than
 * the last one. */
void timeline_visit(struct timeline *timeline, int64_t since_at, int64_t until_at);
void timeline_clear(struct timeline *timeline);
