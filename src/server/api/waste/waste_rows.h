/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "server/rows/row_writer.h"

struct store_rows;
struct sweep_view;

/* The wastes of an answer: what is found now, and what ended within a time, with their sums. */
struct waste_list {
	struct row_writer *writer;
	/* What is asked for; NULL: any. A host is named by its id or its host name. */
	const char *kind, *user, *host;
	int64_t since_at, now_at;
	int64_t limit; /* rows; sums are over all */

	/* Added up over what is asked for, in whole nano-dollars. */
	int64_t nusd_hour;   /* of what is found now */
	int64_t wasted_nusd; /* within the time; without what is only cheaper elsewhere */
	int64_t saved_nusd;
	int64_t unpriced;    /* found now, without a price */
	int64_t count, open; /* all; of these found now */
};

/* Writes the list `waste`: waste_rows_found, then waste_rows_ended, between these two. */
void waste_rows_begin(struct waste_list *list);
void waste_rows_end(struct waste_list *list);
/* What a sweep found. Of a view without a record since when each is found is not known. */
void waste_rows_found(struct waste_list *list, const struct sweep_view *view);
/* What ended: rows of the query `wastes`. Those that are open and that the sweep did not find are
 * "silent": their host sends nothing since a short time, and may be gone or not. */
void waste_rows_kept(struct waste_list *list, struct store_rows *rows,
		     const struct sweep_view *view, bool ended);
