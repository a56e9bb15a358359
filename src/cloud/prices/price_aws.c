/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "cloud/prices/price_reader.h"

/*
 * AWS's price list as JSON:
 * https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/reading-service-price-list-file-for-services.html
 * Its products come before its terms.
 */
static const struct {
	const char *key, *value;
	bool optional; /* lists before 2021 do not have it */
} wanted[] = {
	{ "operatingSystem", "Linux", false }, { "tenancy", "Shared", false },
	{ "preInstalledSw", "NA", false },     { "capacitystatus", "Used", false },
	{ "marketoption", "OnDemand", true },  { "locationType", "AWS Region", true },
};

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static bool is_wanted(const json_t *attributes)
{
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		const char *value = text_of(attributes, wanted[i].key);

		if (strcmp(value, wanted[i].value) != 0 && !(wanted[i].optional && !*value))
			return false;
	}
	return true;
}

int price_aws_date(void *context, const char *key, const char *text, size_t len, struct error *err)
{
	struct price_reader *reader = context;
	size_t date = strcspn(text + 1, "T\"\\");

	(void)key;
	(void)err;
	if (len > 2 && date < sizeof(reader->summary.date)) {
		memcpy(reader->summary.date, text + 1, date);
		reader->summary.date[date] = '\0';
	}
	return 0;
}

static int keep_product(struct price_reader *reader, const char *sku, const json_t *attributes,
			struct error *err)
{
	const char *region = text_of(attributes, "regionCode");
	const char *type = text_of(attributes, "instanceType");
	size_t region_size = strlen(region) + 1, type_size = strlen(type) + 1;
	struct map_text_key key = map_text_key(sku, strlen(sku));
	char *product;

	if (region_size > PRICE_TEXT_SIZE || type_size > PRICE_TEXT_SIZE ||
	    map_get(reader->products, &key)) {
		reader->summary.without_type++;
		return 0;
	}
	product = malloc(region_size + type_size);
	if (!product)
		return error_set(err, -ENOMEM, "out of memory");
	memcpy(product, region, region_size);
	memcpy(product + region_size, type, type_size);
	if (map_put(reader->products, &key, product) == 0)
		return 0;
	free(product);
	return error_set(err, -EFBIG, "more than %d machines in one list", PRICE_PRODUCTS_MAX);
}

int price_aws_product(void *context, const char *sku, const char *text, size_t len,
		      struct error *err)
{
	struct price_reader *reader = context;
	json_t *product, *attributes;
	int rc = 0;

	/* Most products are of others: they need not be parsed. */
	if (!memmem(text, len, "\"Linux\"", 7)) {
		reader->summary.other_products++;
		return 0;
	}
	product = json_loadb(text, len, 0, NULL);
	attributes = json_object_get(product, "attributes");
	if (!product)
		rc = error_set(err, -EINVAL, "the product %.40s is no JSON", sku);
	else if (is_wanted(attributes))
		rc = keep_product(reader, sku, attributes, err);
	else
		reader->summary.other_products++;
	json_decref(product);
	return rc;
}

bool price_aws_wants(void *context, const char *sku)
{
	struct price_reader *reader = context;
	struct map_text_key key = map_text_key(sku, strlen(sku));

	return map_get(reader->products, &key) != NULL;
}

static int add_dimension(struct price_reader *reader, const char *product, const json_t *dimension)
{
	const json_t *usd = json_object_get(json_object_get(dimension, "pricePerUnit"), "USD");
	const struct price_entry entry = {
		.provider = "aws",
		.region = product,
		.type = product + strlen(product) + 1,
		.purchase = "on_demand",
		.usd_hour = usd ? price_number_of(json_string_value(usd)) : -1,
	};

	if (!usd)
		reader->summary.other_currency++;
	else if (strcmp(text_of(dimension, "unit"), "Hrs") != 0)
		reader->summary.no_price++;
	else
		return price_reader_add(reader, &entry);
	return 0;
}

int price_aws_term(void *context, const char *sku, const char *text, size_t len, struct error *err)
{
	struct price_reader *reader = context;
	struct map_text_key key = map_text_key(sku, strlen(sku));
	const char *product = map_get(reader->products, &key), *name;
	json_t *offers = json_loadb(text, len, 0, NULL), *offer, *dimension;
	int rc = offers ? 0 : error_set(err, -EINVAL, "the terms of %.40s are no JSON", sku);

	json_object_foreach(offers, name, offer)
	{
		const char *code;

		json_object_foreach(json_object_get(offer, "priceDimensions"), code,
				    dimension) if (!rc) rc =
			add_dimension(reader, product, dimension);
	}
	json_decref(offers);
	return rc;
}

static bool free_product(const void *key, void *product, void *context)
{
	(void)key;
	(void)context;
	free(product);
	return true;
}

void price_aws_clear(struct price_reader *reader)
{
	if (reader->products)
		map_visit(reader->products, free_product, NULL);
	map_free(reader->products);
}
