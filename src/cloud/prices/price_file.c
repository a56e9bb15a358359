/* SPDX-License-Identifier: Apache-2.0 */
#include "cloud/prices/price_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "cloud/cloud.h"
#include "cloud/prices/price_reader.h"

#define USD_HOUR_MAX 10000 /* signal/bounds.h */

struct price_file {
	struct price_reader reader;
	struct json_scan *json; /* NULL: it is CSV, or nothing came yet */
	struct csv_rows csv;
	struct price_csv columns;
	bool begun;
};

static const struct json_scan_watch watches[] = {
	{ .path = { "publicationDate" }, .value = price_aws_date },
	{ .path = { "products", "*" }, .value = price_aws_product },
	{ .path = { "terms", "OnDemand", "*" }, .wants = price_aws_wants, .value = price_aws_term },
	{ .path = { "skus", "[]" }, .value = price_gcp_sku },
	/* pages in an array */
	{ .path = { "[]", "skus", "[]" }, .value = price_gcp_sku },
};

struct price_file *price_file_new(price_sink *sink, void *context)
{
	struct price_file *file = calloc(1, sizeof(*file));

	if (!file)
		return NULL;
	file->reader.sink = sink;
	file->reader.context = context;
	file->reader.products = map_new_of_texts(PRICE_PRODUCTS_MAX);
	file->columns.reader = &file->reader;
	csv_rows_init(&file->csv, price_csv_row, &file->columns);
	if (file->reader.products)
		return file;
	price_file_free(file);
	return NULL;
}

void price_file_free(struct price_file *file)
{
	if (!file)
		return;
	price_aws_clear(&file->reader);
	price_gcp_clear(&file->reader);
	json_scan_free(file->json);
	csv_rows_clear(&file->csv);
	free(file);
}

/* The first byte says what it is. */
static int begin(struct price_file *file, char byte, struct error *err)
{
	file->begun = true;
	if (byte != '{' && byte != '[')
		return 0;
	file->json = json_scan_new(watches, sizeof(watches) / sizeof(watches[0]), &file->reader);
	return file->json ? 0 : error_set(err, -ENOMEM, "out of memory");
}

int price_file_feed(struct price_file *file, const char *bytes, size_t len, struct error *err)
{
	static const char bom[] = "\xef\xbb\xbf \t\r\n";
	int rc = 0;

	while (!file->begun && len && strchr(bom, *bytes) && *bytes) {
		bytes++;
		len--;
	}
	if (!file->begun && len)
		rc = begin(file, *bytes, err);
	if (rc || !len)
		return rc;
	return file->json ? json_scan_feed(file->json, bytes, len, err)
			  : csv_rows_feed(&file->csv, bytes, len, err);
}

int price_file_end(struct price_file *file, struct price_summary *ret, struct error *err)
{
	struct price_summary *summary = &file->reader.summary;
	int rc = file->json ? json_scan_end(file->json, err) : csv_rows_end(&file->csv, err);

	if (!rc)
		rc = price_gcp_end(&file->reader);
	if (rc)
		return rc;
	if (!summary->prices)
		return error_set(err, -EINVAL,
				 "there is no price of a machine in it; what is read is AWS's "
				 "price list of AmazonEC2 (index.json, index.csv), Google's list "
				 "of SKUs of Compute Engine, or CSV with the columns provider, "
				 "region, instance_type, purchase and usd_hour (docs/cost.md)");
	*ret = *summary;
	return 0;
}

double price_number_of(const char *text)
{
	char *end = NULL;
	double number;

	if (!text || !*text)
		return -1;
	number = strtod(text, &end);
	return number >= 0 && !*end && isfinite(number) ? number : -1;
}

static bool is_usable(const char *text)
{
	return *text && strlen(text) < PRICE_TEXT_SIZE &&
	       strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._") ==
		       strlen(text);
}

int price_reader_add(struct price_reader *reader, const struct price_entry *entry)
{
	struct price_summary *summary = &reader->summary;
	struct cloud_instance instance;

	if (!is_usable(entry->region))
		summary->without_region++;
	else if (!is_usable(entry->type))
		summary->without_type++;
	else if (!(entry->usd_hour > 0 && entry->usd_hour <= USD_HOUR_MAX))
		summary->no_price++;
	else {
		summary->prices++;
		summary->unknown_types +=
			cloud_instance(entry->provider, entry->type, &instance) != 0;
		summary->unknown_regions += !cloud_has_region(entry->provider, entry->region);
		snprintf(summary->provider, sizeof(summary->provider), "%s", entry->provider);
		return reader->sink(reader->context, entry);
	}
	return 0;
}
