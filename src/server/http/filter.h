/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/*
 * The parameters of a route behind the '?'. The filters of a route are a table that ends at a NULL
 * name; the values of a request have the same order.
 */
enum filter_kind {
	FILTER_TEXT,   /* up to FILTER_TEXT_MAX bytes */
	FILTER_CHOICE, /* one of `choices` */
	FILTER_NUMBER, /* a whole number within [min, max] */
	FILTER_CURSOR, /* the `next` of the page before: opaque to the client, the store's own to us
			*/
};

#define FILTER_TEXT_MAX 256
#define FILTERS_MAX     20

struct filter {
	const char *name;
	enum filter_kind kind;
	const char *fallback;       /* as it would be written; NULL: absent */
	const char *const *choices; /* ends with NULL */
	int64_t min, max;
	const char *help; /* what it selects; the words of docs/openapi.yaml */
};

struct filter_value {
	bool given; /* or filled in from the fallback */
	int64_t number;
	char text[FILTER_TEXT_MAX + 1];
};

/* Sets every value to its fallback. */
void filters_default(const struct filter *filters, struct filter_value values[FILTERS_MAX]);
/* Reads a query string (without '?'; NULL: none). -EINVAL with words that name the parameter: one
 * unknown, twice, too long, badly encoded, or not of its kind. */
int filters_read(const struct filter *filters, const char *query,
		 struct filter_value values[FILTERS_MAX], struct error *err);
