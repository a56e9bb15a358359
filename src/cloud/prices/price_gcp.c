/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cloud/catalogue.h"
#include "cloud/prices/price_reader.h"

/*
 * The SKUs of Compute Engine:
 * https://cloud.google.com/billing/docs/reference/rest/v1/services.skus/list. Google sells vCPUs
 * and memory of a family; a type costs what it has of both. Types with GPUs or local disks, and
 * those that share a core, are left out: SKUs of other kinds belong to them.
 */
#define RATES_MAX 20000 /* families × regions × purchases; Google has some 3,000 */

enum part { CORE, RAM, PARTS };

struct rate {
	char family[16], region[PRICE_TEXT_SIZE];
	bool spot;
	double usd_hour[PARTS]; /* 0: not seen yet */
};

struct price_rates {
	struct rate *items;
	size_t count, capacity;
};

/* "N2D AMD Instance Core running in Iowa", "Spot Preemptible E2 Instance Ram running in …". */
static bool read_description(const char *text, char family[16], enum part *ret_part)
{
	static const char *const between[] = { "AMD",      "Arm", "Predefined", "Memory-optimized",
					       "Instance", NULL };
	static const char spot[] = "Spot Preemptible ", c2[] = "Compute optimized ";
	bool named = false;

	if (text_starts_with(text, spot))
		text += sizeof(spot) - 1;
	if (text_starts_with(text, c2)) {
		memcpy(family, "C2", 3);
		text += sizeof(c2) - 1;
		named = true;
	}
	for (size_t words = 0; words < 6; words++) {
		char word[24];
		size_t len = strcspn(text, " ");

		text_cut(text, len, word, sizeof(word));
		text += len + (text[len] == ' ');
		if (strcmp(word, "Core") == 0 || strcmp(word, "Ram") == 0) {
			*ret_part = *word == 'C' ? CORE : RAM;
			return named && text_starts_with(text, "running in ");
		}
		if (!named && isupper((unsigned char)word[0]) && isdigit((unsigned char)word[1]) &&
		    len < 16) {
			memcpy(family, word, len + 1);
			named = true;
		} else if (!text_is_one_of(word, between)) {
			return false;
		}
	}
	return false;
}

static struct rate *rate_of(struct price_reader *reader, const char *family, const char *region,
			    bool spot)
{
	struct price_rates *rates = reader->gcp;
	struct rate *rate;

	for (size_t i = rates->count; i-- > 0;) {
		rate = &rates->items[i];
		if (rate->spot == spot && strcmp(rate->family, family) == 0 &&
		    strcmp(rate->region, region) == 0)
			return rate;
	}
	if (rates->count == rates->capacity) {
		size_t capacity = rates->capacity ? 2 * rates->capacity : 256;
		struct rate *items = reallocarray(rates->items, capacity, sizeof(*items));

		if (!items || capacity > 2 * RATES_MAX) {
			rates->items = items ? items : rates->items;
			return NULL;
		}
		rates->items = items;
		rates->capacity = capacity;
	}
	rate = &rates->items[rates->count++];
	*rate = (struct rate){ .spot = spot };
	snprintf(rate->family, sizeof(rate->family), "%s", family);
	snprintf(rate->region, sizeof(rate->region), "%s", region);
	return rate;
}

/* The price of the latest price's first tier that is not free; < 0: in another currency; 0: none.
 */
static double price_of(const json_t *sku, const char *unit)
{
	const json_t *all = json_object_get(sku, "pricingInfo"), *tier;
	const json_t *latest = json_array_get(all, json_array_size(all) - 1);
	const json_t *how = json_object_get(latest, "pricingExpression");
	const char *used = json_string_value(json_object_get(how, "usageUnit"));
	size_t i;

	if (!used || strcmp(used, unit) != 0)
		return 0;
	json_array_foreach(json_object_get(how, "tieredRates"), i, tier)
	{
		const json_t *price = json_object_get(tier, "unitPrice");
		const char *currency = json_string_value(json_object_get(price, "currencyCode"));
		const char *units = json_string_value(json_object_get(price, "units"));
		double usd = (units ? price_number_of(units) : 0) +
			     json_number_value(json_object_get(price, "nanos")) / 1e9;

		if (!currency || strcmp(currency, "USD") != 0)
			return -1;
		if (usd > 0)
			return usd;
	}
	return 0;
}

static int keep(struct price_reader *reader, const json_t *sku, const char *family, enum part part,
		bool spot, struct error *err)
{
	double usd = price_of(sku, part == CORE ? "h"
						: "GiBy"
						  ".h");
	const json_t *region;
	char small[16];
	size_t i;

	for (i = 0; family[i]; i++)
		small[i] = (char)tolower((unsigned char)family[i]);
	small[i] = '\0';
	if (usd < 0)
		reader->summary.other_currency++;
	else if (!(usd > 0))
		reader->summary.no_price++;
	json_array_foreach(json_object_get(sku, "serviceRegions"), i, region)
	{
		const char *name = json_string_value(region);
		struct rate *rate;

		if (!(usd > 0) || !name || strlen(name) >= PRICE_TEXT_SIZE)
			continue;
		rate = rate_of(reader, small, name, spot);
		if (!rate)
			return error_set(err, -EFBIG, "more than %d prices of families", RATES_MAX);
		rate->usd_hour[part] = usd;
	}
	return 0;
}

int price_gcp_sku(void *context, const char *key, const char *text, size_t len, struct error *err)
{
	struct price_reader *reader = context;
	json_t *sku = json_loadb(text, len, 0, NULL);
	const json_t *category = json_object_get(sku, "category");
	const char *description = json_string_value(json_object_get(sku, "description"));
	const char *usage = json_string_value(json_object_get(category, "usageType"));
	enum part part = CORE;
	char family[16];
	int rc = 0;

	(void)key;
	if (!reader->gcp)
		reader->gcp = calloc(1, sizeof(*reader->gcp));
	if (!sku)
		rc = error_set(err, -EINVAL, "a SKU is no JSON");
	else if (!reader->gcp)
		rc = error_set(err, -ENOMEM, "out of memory");
	else if (usage && description &&
		 (strcmp(usage, "OnDemand") == 0 || strcmp(usage, "Preemptible") == 0) &&
		 read_description(description, family, &part))
		rc = keep(reader, sku, family, part, *usage == 'P', err);
	else
		reader->summary.other_products++;
	json_decref(sku);
	return rc;
}

/* "n2-standard-4", and nothing that has more than vCPUs and memory. */
static bool is_plain(const char *type, double gpus)
{
	static const char *const shapes[] = { "standard", "highmem",  "highcpu", "megamem",
					      "ultramem", "hypermem", NULL };
	const char *shape = strchr(type, '-'), *size = shape ? strchr(shape + 1, '-') : NULL;
	char word[16];

	if (!size || gpus > 0 || text_starts_with(type, "z3-") ||
	    strspn(size + 1, "0123456789") != strlen(size + 1))
		return false;
	return text_is_one_of(text_cut(shape + 1, (size_t)(size - shape - 1), word, sizeof(word)),
			      shapes);
}

static int add_types(struct price_reader *reader, const struct rate *rate)
{
	enum { TYPE_NAME = 2, TYPE_VCPUS, TYPE_MIB, TYPE_GPUS = 7 };
	char start[32], type[PRICE_TEXT_SIZE];
	struct catalogue_line line;
	uint64_t before = reader->summary.prices;
	int rc = 0;

	snprintf(start, sizeof(start), "type\tgcp\t%s-", rate->family);
	for (bool found = catalogue_from(catalogue_prices(), &line, start); !rc && found;
	     found = catalogue_next(&line)) {
		if (!text_starts_with(line.fields[0].text, start))
			break;
		catalogue_text(&line, TYPE_NAME, type, sizeof(type));
		if (!is_plain(type, catalogue_number(&line, TYPE_GPUS)))
			continue;
		rc = price_reader_add(
			reader,
			&(struct price_entry){
				.provider = "gcp",
				.region = rate->region,
				.type = type,
				.purchase = rate->spot ? "spot" : "on_demand",
				.usd_hour =
					rate->usd_hour[CORE] * catalogue_number(&line, TYPE_VCPUS) +
					rate->usd_hour[RAM] * catalogue_number(&line, TYPE_MIB) /
						1024,
			});
	}
	reader->summary.without_type += !rc && reader->summary.prices == before;
	return rc;
}

int price_gcp_end(struct price_reader *reader)
{
	int rc = 0;

	for (size_t i = 0; reader->gcp && !rc && i < reader->gcp->count; i++) {
		const struct rate *rate = &reader->gcp->items[i];

		if (rate->usd_hour[CORE] > 0 && rate->usd_hour[RAM] > 0)
			rc = add_types(reader, rate);
		else
			reader->summary.no_price++;
	}
	return rc;
}

void price_gcp_clear(struct price_reader *reader)
{
	if (reader->gcp)
		free(reader->gcp->items);
	free(reader->gcp);
}
