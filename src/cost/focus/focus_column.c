/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/focus/focus_column.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

#define PER_DOLLAR INT64_C(1000000000)

static void amount(int64_t nusd, struct buffer *out)
{
	buffer_printf(out, "%" PRId64 ".%09" PRId64, nusd / PER_DOLLAR, nusd % PER_DOLLAR);
}

static void cost(const struct focus_row *row, struct buffer *out)
{
	amount(row->nusd, out);
}

static void used(const struct focus_row *row, struct buffer *out)
{
	amount(row->part.used_nusd, out);
}

static void unused(const struct focus_row *row, struct buffer *out)
{
	amount(row->part.unused_nusd, out);
}

static void idle(const struct focus_row *row, struct buffer *out)
{
	amount(row->part.idle_nusd, out);
}

static void unit_price(const struct focus_row *row, struct buffer *out)
{
	amount(row->nusd_hour, out);
}

/* Hours of the host: cost ÷ price, with 18 decimals, so that quantity × price is the cost. */
static void hours(const struct focus_row *row, struct buffer *out)
{
	unsigned __int128 price = (unsigned __int128)(row->nusd_hour > 0 ? row->nusd_hour : 1),
			  scaled = (unsigned __int128)row->nusd * PER_DOLLAR * PER_DOLLAR,
			  quantity = (scaled + price / 2) / price;
	unsigned __int128 one = (unsigned __int128)PER_DOLLAR * PER_DOLLAR;

	buffer_printf(out, "%" PRIu64 ".%018" PRIu64, (uint64_t)(quantity / one),
		      (uint64_t)(quantity % one));
}

static void time_text(time_t at, struct buffer *out)
{
	struct tm parts;
	char text[32];

	gmtime_r(&at, &parts);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
	buffer_append_text(out, text);
}

static void period_start(const struct focus_row *row, struct buffer *out)
{
	time_text((time_t)(row->since_at / NS_PER_S), out);
}

static void period_end(const struct focus_row *row, struct buffer *out)
{
	time_text((time_t)((row->until_at + NS_PER_S - 1) / NS_PER_S), out);
}

/* The UTC month of the charge, `months` later. */
static void month(const struct focus_row *row, int months, struct buffer *out)
{
	time_t at = (time_t)(row->since_at / NS_PER_S);
	struct tm parts;

	gmtime_r(&at, &parts);
	parts = (struct tm){ .tm_year = parts.tm_year,
			     .tm_mon = parts.tm_mon + months,
			     .tm_mday = 1 };
	time_text(timegm(&parts), out);
}

static void month_start(const struct focus_row *row, struct buffer *out)
{
	month(row, 0, out);
}

static void month_end(const struct focus_row *row, struct buffer *out)
{
	month(row, 1, out);
}

static void provider_name(const struct focus_row *row, struct buffer *out)
{
	buffer_append_text(out, row->provider->name);
}

static void service_name(const struct focus_row *row, struct buffer *out)
{
	buffer_append_text(out, row->provider->service);
}

static void service_subcategory(const struct focus_row *row, struct buffer *out)
{
	buffer_append_text(out, row->provider->service_subcategory);
}

static void resource_type(const struct focus_row *row, struct buffer *out)
{
	buffer_append_text(out, row->provider->resource_type);
}

static void account_type(const struct focus_row *row, struct buffer *out)
{
	buffer_append_text(out, row->provider->account_type);
}

/* The account that the host says it belongs to; else what is known: its provider. */
static void account_id(const struct focus_row *row, struct buffer *out)
{
	const struct sheet_host *host = row->host;

	buffer_append_text(out, *host->account_id    ? host->account_id
				: *row->provider->id ? row->provider->id
						     : "on-premises");
}

static void zone(const struct focus_row *row, struct buffer *out)
{
	buffer_append_text(out, row->host->zone);
}

static void region(const struct focus_row *row, struct buffer *out)
{
	buffer_append_text(out, row->host->region);
}

static void resource_id(const struct focus_row *row, struct buffer *out)
{
	const struct sheet_host *host = row->host;

	buffer_append_text(out, *host->instance_id ? host->instance_id : host->id);
}

static void resource_name(const struct focus_row *row, struct buffer *out)
{
	buffer_append_text(out, row->host->hostname);
}

/* Spot prices change with demand. */
static void pricing_category(const struct focus_row *row, struct buffer *out)
{
	buffer_append_text(out, strcmp(row->host->purchase, "spot") == 0 ? "Dynamic" : "Standard");
}

static void sku(const struct focus_row *row, struct buffer *out)
{
	const char *type = row->host->instance_type;

	buffer_append_text(out, *type ? type : "own-machine");
}

/* What has a price: a type in a region, bought in one way, or one machine of one's own. */
static void sku_price(const struct focus_row *row, struct buffer *out)
{
	const struct sheet_host *host = row->host;

	sku(row, out);
	if (*host->instance_type)
		buffer_printf(out, "/%s/%s", *host->region ? host->region : "-",
			      *host->purchase ? host->purchase : "on_demand");
	else
		buffer_printf(out, "/%s", host->id);
}

static void price_source(const struct focus_row *row, struct buffer *out)
{
	buffer_append_text(out, row->price_source);
}

#define STRING(column, how)                                           \
	{                                                             \
		.name = (column), .type = FOCUS_STRING, .fill = (how) \
	}
#define STRING_OR_NULL(column, how)                                                     \
	{                                                                               \
		.name = (column), .type = FOCUS_STRING, .nullable = true, .fill = (how) \
	}
#define FIXED(column, text)                                             \
	{                                                               \
		.name = (column), .type = FOCUS_STRING, .fixed = (text) \
	}
#define DECIMAL(column, how)                                           \
	{                                                              \
		.name = (column), .type = FOCUS_DECIMAL, .fill = (how) \
	}
#define TIME(column, how)                                           \
	{                                                           \
		.name = (column), .type = FOCUS_TIME, .fill = (how) \
	}
#define JSON(column, how)                                                             \
	{                                                                             \
		.name = (column), .type = FOCUS_JSON, .nullable = true, .fill = (how) \
	}
/* Not known of a host, or there is no such thing: FOCUS says null. */
#define NOTHING(column, kind)                                      \
	{                                                          \
		.name = (column), .type = (kind), .nullable = true \
	}

const struct focus_column FOCUS_COLUMNS[] = {
	STRING_OR_NULL("AvailabilityZone", zone),
	DECIMAL("BilledCost", cost),
	STRING("BillingAccountId", account_id),
	NOTHING("BillingAccountName", FOCUS_STRING),
	STRING("BillingAccountType", account_type),
	FIXED("BillingCurrency", "USD"),
	TIME("BillingPeriodEnd", month_end),
	TIME("BillingPeriodStart", month_start),
	NOTHING("CapacityReservationId", FOCUS_STRING),
	NOTHING("CapacityReservationStatus", FOCUS_STRING),
	FIXED("ChargeCategory", "Usage"),
	NOTHING("ChargeClass", FOCUS_STRING), /* not a correction of an earlier invoice */
	STRING("ChargeDescription", focus_row_describe),
	FIXED("ChargeFrequency", "Usage-Based"),
	TIME("ChargePeriodEnd", period_end),
	TIME("ChargePeriodStart", period_start),
	NOTHING("CommitmentDiscountCategory", FOCUS_STRING),
	NOTHING("CommitmentDiscountId", FOCUS_STRING),
	NOTHING("CommitmentDiscountName", FOCUS_STRING),
	NOTHING("CommitmentDiscountQuantity", FOCUS_DECIMAL),
	NOTHING("CommitmentDiscountStatus", FOCUS_STRING),
	NOTHING("CommitmentDiscountType", FOCUS_STRING),
	NOTHING("CommitmentDiscountUnit", FOCUS_STRING),
	DECIMAL("ConsumedQuantity", hours),
	FIXED("ConsumedUnit", "Hours"),
	DECIMAL("ContractedCost", cost),
	DECIMAL("ContractedUnitPrice", unit_price),
	DECIMAL("EffectiveCost", cost),
	NOTHING("InvoiceId", FOCUS_STRING), /* it is no part of an invoice */
	STRING("InvoiceIssuerName", provider_name),
	DECIMAL("ListCost", cost),
	DECIMAL("ListUnitPrice", unit_price),
	STRING("PricingCategory", pricing_category),
	FIXED("PricingCurrency", "USD"),
	DECIMAL("PricingCurrencyContractedUnitPrice", unit_price),
	DECIMAL("PricingCurrencyEffectiveCost", cost),
	DECIMAL("PricingCurrencyListUnitPrice", unit_price),
	DECIMAL("PricingQuantity", hours),
	FIXED("PricingUnit", "Hours"),
	STRING("ProviderName", provider_name),
	STRING("PublisherName", provider_name),
	STRING_OR_NULL("RegionId", region),
	STRING_OR_NULL("RegionName", region),
	STRING("ResourceId", resource_id),
	STRING_OR_NULL("ResourceName", resource_name),
	STRING("ResourceType", resource_type),
	FIXED("ServiceCategory", "Compute"),
	STRING("ServiceName", service_name),
	STRING("ServiceSubcategory", service_subcategory),
	STRING("SkuId", sku),
	FIXED("SkuMeter", "Hours of the host"),
	JSON("SkuPriceDetails", focus_row_sku_details),
	STRING("SkuPriceId", sku_price),
	NOTHING("SubAccountId", FOCUS_STRING),
	NOTHING("SubAccountName", FOCUS_STRING),
	NOTHING("SubAccountType", FOCUS_STRING),
	JSON("Tags", focus_row_tags),
	DECIMAL("x_IdleCost", idle),
	STRING_OR_NULL("x_PriceSource", price_source),
	DECIMAL("x_UnusedCost", unused),
	DECIMAL("x_UsedCost", used),
};
const size_t FOCUS_COLUMNS_COUNT = sizeof(FOCUS_COLUMNS) / sizeof(FOCUS_COLUMNS[0]);
