/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "cloud/prices/csv_rows.h"
#include "cloud/prices/json_scan.h"
#include "cloud/prices/price_file.h"

/* What the readers of the formats share. */
struct price_reader {
	struct price_summary summary;
	price_sink *sink;
	void *context;
	struct map *products;    /* of AWS's JSON: text of a SKU to its "REGION\0TYPE" */
	struct price_rates *gcp; /* of SKUs */
};

/* Counts a price, and gives it to the sink where it can be used. */
int price_reader_add(struct price_reader *reader, const struct price_entry *entry);

/* AWS's JSON: the values under "publicationDate", "products" and "terms.OnDemand". Contexts are the
 * reader. */
int price_aws_date(void *reader, const char *key, const char *text, size_t len, struct error *err);
int price_aws_product(void *reader, const char *sku, const char *text, size_t len,
		      struct error *err);
bool price_aws_wants(void *reader, const char *sku);
int price_aws_term(void *reader, const char *sku, const char *text, size_t len, struct error *err);
void price_aws_clear(struct price_reader *reader);

/* Google's JSON: an item of "skus"; and, behind the last, the prices of types. */
int price_gcp_sku(void *reader, const char *key, const char *text, size_t len, struct error *err);
int price_gcp_end(struct price_reader *reader);
void price_gcp_clear(struct price_reader *reader);

/* A row of AWS's CSV or of our own; context: a struct price_csv. */
enum price_csv_column {
	PRICE_CSV_PROVIDER,
	PRICE_CSV_REGION,
	PRICE_CSV_TYPE,
	PRICE_CSV_PURCHASE,
	PRICE_CSV_USD,
	PRICE_CSV_TERM,
	PRICE_CSV_UNIT,
	PRICE_CSV_CURRENCY,
	PRICE_CSV_LOCATION_TYPE,
	PRICE_CSV_TENANCY,
	PRICE_CSV_SYSTEM,
	PRICE_CSV_CAPACITY,
	PRICE_CSV_SOFTWARE,
	PRICE_CSV_COLUMNS,
};

struct price_csv {
	struct price_reader *reader;
	bool begun; /* the row with the names of the columns was read */
	bool aws;
	int columns[PRICE_CSV_COLUMNS]; /* their places; -1: not in the file */
};

int price_csv_row(void *csv, const char *const *fields, size_t count, struct error *err);
