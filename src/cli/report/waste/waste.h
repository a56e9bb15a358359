/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

struct waste_view {
	bool chosen; /* what has a kind or user that was asked for, not all */
	bool ended;  /* what ended, too */
	size_t most; /* findings; of more the first */
};

/* Writes what GET /waste?state=all answered: the sums, then each waste with its command. */
void waste_print(FILE *out, const json_t *document, const struct waste_view *view);
