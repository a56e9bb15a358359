/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

#include "base/buffer.h"

/* Rows of the lake put together by what they have in common. */
struct grouping {
	/* What a row belongs to, appended. */
	void (*name)(struct buffer *out, const json_t *row);
	const char *const *sums; /* keys that are added up, NULL at the end; true counts as 1 */
	int deciding; /* how many of them, from the first on, decide the order together */
};

/* An array of objects {"name", sums}, the largest first. A sum is missing where no row has it.
 * NULL without memory; the caller's (json_decref). */
json_t *group_rows(const json_t *rows, const struct grouping *grouping);
