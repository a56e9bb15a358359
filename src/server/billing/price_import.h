/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "cloud/prices/price_file.h"
#include "lake/store/store.h"

struct server;

/* Stores price lists, and corrected prices, in the lake. */

struct price_list {
	const char *bytes; /* as of cloud/prices/price_file.h */
	size_t len;
	const char *name; /* for people: "price list of 2026-11-01" */
	const char *date; /* "2026-11-01"; NULL: that of the file */
};

struct price_import {
	struct price_summary summary;
	int64_t hosts; /* of which the price changed */
};

/* What the list has holds from now on. -EINVAL: it cannot be read, or has no prices, or the date is
 * none; with words. Errors of store_import(). */
int price_list_import(struct server *server, const struct price_list *list,
		      struct price_import *ret, struct error *err);

struct price_correction {
	const char *host; /* an id */
	double usd_hour;  /* in (0, BOUND_PRICE_USD_HOUR] */
	int64_t since_at; /* 0: always */
	const char *source;
};

/* From since_at on, until a later price is recorded. -ENOENT: there is no such host. */
int price_correct(struct server *server, const struct price_correction *correction,
		  struct error *err);
