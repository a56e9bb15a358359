/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/error.h"

/*
 * Reads the price files of providers, in pieces of any size, so that one of gigabytes takes no more
 * memory than its prices: AWS's price list of EC2 as JSON or CSV, the list of SKUs of Compute
 * Engine (Cloud Billing Catalog) as JSON, and a CSV of our own (price_csv.c). The prices are of a
 * machine for an hour, in US dollars, of Linux without further software. What a file does not say
 * is not guessed: it is counted. Pure.
 */
#define PRICE_TEXT_SIZE    64     /* bytes of a region or type, with the NUL */
#define PRICE_PRODUCTS_MAX 300000 /* of a file: AWS has some 30,000 */

struct price_entry {
	const char *provider, *region, *type, *purchase; /* "on_demand", "spot" */
	double usd_hour;
};

struct price_summary {
	char provider[8];
	char date[32]; /* of the list, "2026-11-01"; "": the file does not say it */
	uint64_t prices;
	/* Among them: of types and regions that the catalogue (cloud/cloud.h) does not have. */
	uint64_t unknown_types, unknown_regions;
	/* Not among them. */
	uint64_t without_region, without_type; /* the file does not say which */
	uint64_t other_currency, no_price;     /* free, or no number */
	uint64_t other_products;               /* other systems, dedicated hosts, disks, … */
};

/* A price as a text, as providers write it: decimals, finite; < 0: it is none. */
double price_number_of(const char *text);

/* Gets each price; not 0 ends the reading. Texts are valid during the call. */
typedef int price_sink(void *context, const struct price_entry *entry);

struct price_file;

/* NULL: no memory. */
struct price_file *price_file_new(price_sink *sink, void *context);
/* -EINVAL: none of these files, or a damaged one; -EFBIG: more than a bound; what the sink
 * returned. Words have the line. */
int price_file_feed(struct price_file *file, const char *bytes, size_t len, struct error *err);
/* -EINVAL: the file ends too early, or has no price. */
int price_file_end(struct price_file *file, struct price_summary *ret, struct error *err);
void price_file_free(struct price_file *file);
DEFINE_CLEANUP(struct price_file *, price_file_free)
