/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

#include "base/buffer.h"

/* Groups rows of the lake, as GROUP BY does. */
struct grouping {
	/* Appends the name of the group that a row belongs to. */
	void (*name)(struct buffer *out, const json_t *row);
	const char *const *sums; /* keys to add up, NULL at the end; true counts as 1 */
	int order_sums; /* groups are ordered by the sum of so many of them, from the first */
};

/* An array of objects {"name", sums}, the largest first. A sum is missing where no row has it. The
 * caller's (json_decref); NULL: out of memory. */
json_t *group_rows(const json_t *rows, const struct grouping *grouping);
