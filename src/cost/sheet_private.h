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

struct sheet_stretch {
	struct cost_stretch stretch;
	bool known, billed; /* its price; that of the bill */
};

/* The stretches of [since_at, until_at), in which a host was up: at one price each. Room for
 * sheet_stretches_most() of them; returns how many. */
size_t sheet_stretches_most(const struct sheet_host *host);
size_t sheet_stretches(const struct sheet_host *host, int64_t since_at, int64_t until_at,
		       struct sheet_stretch *ret);
