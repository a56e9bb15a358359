/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cloud/prices/price_reader.h"

/*
 * AWS's price list as CSV: five rows about the list, a row with the names of the columns, then one
 * for each price. Our own has the names `provider,region,instance_type,purchase,usd_hour`, in any
 * order, in its first row; it is what the server takes, and for prices that are in no list.
 */
static const struct {
	const char *aws, *own; /* NULL: it has no such column */
	const char *wanted;    /* of AWS: the rows that are prices of machines */
	bool optional;
} columns[PRICE_CSV_COLUMNS] = {
	[PRICE_CSV_PROVIDER] = { NULL, "provider", NULL, false },
	[PRICE_CSV_REGION] = { "Region Code", "region", NULL, false },
	[PRICE_CSV_TYPE] = { "Instance Type", "instance_type", NULL, false },
	[PRICE_CSV_PURCHASE] = { NULL, "purchase", NULL, false },
	[PRICE_CSV_USD] = { "PricePerUnit", "usd_hour", NULL, false },
	[PRICE_CSV_TERM] = { "TermType", NULL, "OnDemand", false },
	[PRICE_CSV_UNIT] = { "Unit", NULL, NULL, false },
	[PRICE_CSV_CURRENCY] = { "Currency", NULL, NULL, false },
	[PRICE_CSV_LOCATION_TYPE] = { "Location Type", NULL, "AWS Region", true },
	[PRICE_CSV_TENANCY] = { "Tenancy", NULL, "Shared", false },
	[PRICE_CSV_SYSTEM] = { "Operating System", NULL, "Linux", false },
	[PRICE_CSV_CAPACITY] = { "CapacityStatus", NULL, "Used", false },
	[PRICE_CSV_SOFTWARE] = { "Pre Installed S/W", NULL, "NA", false },
};

static const char *name_of(const struct price_csv *csv, size_t column)
{
	return csv->aws ? columns[column].aws : columns[column].own;
}

/* Finds the columns by their names. */
static int read_names(struct price_csv *csv, const char *const *fields, size_t count,
		      struct error *err)
{
	csv->begun = true;
	csv->aws = strcmp(fields[0], "SKU") == 0;
	for (size_t i = 0; i < PRICE_CSV_COLUMNS; i++) {
		const char *name = name_of(csv, i);

		csv->columns[i] = -1;
		for (size_t k = 0; name && k < count && csv->columns[i] < 0; k++)
			if (strcmp(fields[k], name) == 0)
				csv->columns[i] = (int)k;
		if (name && csv->columns[i] < 0 && !columns[i].optional)
			return error_set(err, -EINVAL, "the list has no column '%s'", name);
	}
	return 0;
}

static const char *field_of(const struct price_csv *csv, enum price_csv_column column,
			    const char *const *fields, size_t count)
{
	int place = csv->columns[column];

	return place >= 0 && (size_t)place < count ? fields[place] : "";
}

static bool is_machine(const struct price_csv *csv, const char *const *fields, size_t count)
{
	for (size_t i = 0; i < PRICE_CSV_COLUMNS; i++)
		if (csv->columns[i] >= 0 && columns[i].wanted &&
		    strcmp(field_of(csv, i, fields, count), columns[i].wanted) != 0)
			return false;
	return true;
}

static int add_aws(struct price_csv *csv, const char *const *fields, size_t count)
{
	struct price_summary *summary = &csv->reader->summary;
	const struct price_entry entry = {
		.provider = "aws",
		.region = field_of(csv, PRICE_CSV_REGION, fields, count),
		.type = field_of(csv, PRICE_CSV_TYPE, fields, count),
		.purchase = "on_demand",
		.usd_hour = price_number_of(field_of(csv, PRICE_CSV_USD, fields, count)),
	};

	if (!is_machine(csv, fields, count))
		summary->other_products++;
	else if (strcmp(field_of(csv, PRICE_CSV_CURRENCY, fields, count), "USD") != 0)
		summary->other_currency++;
	else if (strcmp(field_of(csv, PRICE_CSV_UNIT, fields, count), "Hrs") != 0)
		summary->no_price++;
	else
		return price_reader_add(csv->reader, &entry);
	return 0;
}

static int add_own(struct price_csv *csv, const char *const *fields, size_t count,
		   struct error *err)
{
	static const char *const providers[] = { "aws", "gcp", NULL };
	static const char *const purchases[] = { "on_demand", "spot", NULL };
	const struct price_entry entry = {
		.provider = field_of(csv, PRICE_CSV_PROVIDER, fields, count),
		.region = field_of(csv, PRICE_CSV_REGION, fields, count),
		.type = field_of(csv, PRICE_CSV_TYPE, fields, count),
		.purchase = field_of(csv, PRICE_CSV_PURCHASE, fields, count),
		.usd_hour = price_number_of(field_of(csv, PRICE_CSV_USD, fields, count)),
	};

	if (!text_is_one_of(entry.provider, providers))
		return error_set(err, -EINVAL, "provider is aws or gcp, not '%.40s'",
				 entry.provider);
	if (!text_is_one_of(entry.purchase, purchases))
		return error_set(err, -EINVAL, "purchase is on_demand or spot, not '%.40s'",
				 entry.purchase);
	return price_reader_add(csv->reader, &entry);
}

int price_csv_row(void *context, const char *const *fields, size_t count, struct error *err)
{
	struct price_csv *csv = context;
	struct price_summary *summary = &csv->reader->summary;

	if (csv->begun)
		return csv->aws ? add_aws(csv, fields, count) : add_own(csv, fields, count, err);
	if (count == 2 && strcmp(fields[0], "Publication Date") == 0)
		snprintf(summary->date, sizeof(summary->date), "%.*s", (int)strcspn(fields[1], "T"),
			 fields[1]);
	return count > 2 ? read_names(csv, fields, count, err) : 0;
}
