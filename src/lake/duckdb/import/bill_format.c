/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/import/bill_format.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

extern const char duckdb_sql_import_bill_focus[];
extern const char duckdb_sql_import_bill_cur[];
extern const char duckdb_sql_import_bill_gcp[];

/* https://focus.finops.org, versions 1.0 to 1.3; x_…: columns that AWS adds. */
static const char *const FOCUS_COLUMNS[] = {
	"ProviderName",
	"ServiceProviderName",
	"HostProviderName",
	"InvoiceIssuerName",
	"BillingAccountId",
	"SubAccountId",
	"InvoiceId",
	"BillingPeriodStart",
	"BillingPeriodEnd",
	"BillingCurrency",
	"ChargePeriodStart",
	"ChargePeriodEnd",
	"ChargeCategory",
	"ChargeClass",
	"ChargeFrequency",
	"ChargeDescription",
	"ServiceName",
	"ServiceCategory",
	"ServiceSubcategory",
	"SkuId",
	"SkuMeter",
	"ResourceId",
	"ResourceType",
	"RegionId",
	"AvailabilityZone",
	"PricingQuantity",
	"PricingUnit",
	"ConsumedQuantity",
	"ConsumedUnit",
	"BilledCost",
	"EffectiveCost",
	"ListCost",
	"ContractedCost",
	"CommitmentDiscountId",
	"CommitmentDiscountStatus",
	"CapacityReservationId",
	"AllocatedMethodId",
	"x_UsageType",
	"x_Operation",
	NULL,
};
static const char *const FOCUS_REQUIRED[] = {
	"BilledCost",         "EffectiveCost",
	"BillingCurrency",    "BillingAccountId",
	"BillingPeriodStart", "BillingPeriodEnd",
	"ChargeCategory",     "ChargePeriodStart",
	"ChargePeriodEnd",    NULL,
};

/* https://docs.aws.amazon.com/cur/latest/userguide/table-dictionary-cur2.html */
static const char *const CUR_COLUMNS[] = {
	"bill_bill_type",
	"bill_billing_entity",
	"bill_billing_period_start_date",
	"bill_billing_period_end_date",
	"bill_invoice_id",
	"bill_payer_account_id",
	"line_item_availability_zone",
	"line_item_currency_code",
	"line_item_line_item_description",
	"line_item_line_item_type",
	"line_item_operation",
	"line_item_product_code",
	"line_item_resource_id",
	"line_item_unblended_cost",
	"line_item_usage_account_id",
	"line_item_usage_amount",
	"line_item_usage_start_date",
	"line_item_usage_end_date",
	"line_item_usage_type",
	"pricing_public_on_demand_cost",
	"pricing_unit",
	"product_region_code",
	"product_product_family",
	"product_sku",
	"reservation_effective_cost",
	"reservation_reservation_a_r_n",
	"reservation_unused_amortized_upfront_fee_for_billing_period",
	"reservation_unused_recurring_fee",
	"savings_plan_savings_plan_a_r_n",
	"savings_plan_savings_plan_effective_cost",
	"savings_plan_total_commitment_to_date",
	"savings_plan_used_commitment",
	NULL,
};
static const char *const CUR_REQUIRED[] = {
	"bill_billing_period_start_date",
	"bill_billing_period_end_date",
	"bill_payer_account_id",
	"line_item_currency_code",
	"line_item_line_item_type",
	"line_item_unblended_cost",
	"line_item_usage_start_date",
	"line_item_usage_end_date",
	NULL,
};

/* https://cloud.google.com/billing/docs/how-to/export-data-bigquery-tables/detailed-usage; names
 * with a point: members of a record, as columns of a CSV file. */
static const char *const GCP_COLUMNS[] = {
	"billing_account_id",
	"invoice",
	"invoice.month",
	"cost_type",
	"service",
	"service.description",
	"sku",
	"sku.id",
	"sku.description",
	"usage_start_time",
	"usage_end_time",
	"project",
	"project.id",
	"location",
	"location.region",
	"location.zone",
	"resource",
	"resource.name",
	"resource.global_name",
	"usage",
	"usage.amount",
	"usage.unit",
	"cost",
	"cost_at_list",
	"currency",
	"credits",
	"system_labels",
	"export_time",
	NULL,
};
static const char *const GCP_REQUIRED[] = {
	"billing_account_id", "cost",      "currency", "usage_start_time",
	"usage_end_time",     "cost_type", NULL,
};

static const struct bill_format FORMATS[] = {
	{ "FOCUS", FOCUS_COLUMNS, FOCUS_REQUIRED, duckdb_sql_import_bill_focus },
	{ "AWS CUR 2.0", CUR_COLUMNS, CUR_REQUIRED, duckdb_sql_import_bill_cur },
	{ "GCP detailed export", GCP_COLUMNS, GCP_REQUIRED, duckdb_sql_import_bill_gcp },
};
#define FORMATS_COUNT (sizeof(FORMATS) / sizeof(FORMATS[0]))

/* The version of FOCUS that has brought a column of the file. */
static const struct {
	const char *column, *version;
} VERSIONS[] = {
	{ "ServiceProviderName", "1.3" },   { "HostProviderName", "1.3" },
	{ "AllocatedMethodId", "1.3" },     { "InvoiceId", "1.2" },
	{ "CapacityReservationId", "1.1" }, { "BilledCost", "1.0" },
};

static bool same_name(const char *a, const char *b)
{
	for (; *a && *b; a++, b++) {
		int left = *a == '_' ? '.' : tolower((unsigned char)*a);
		int right = *b == '_' ? '.' : tolower((unsigned char)*b);

		if (left != right)
			return false;
	}
	return *a == *b;
}

/* -EEXIST: it is there twice. */
static int find_column(const char *names, size_t count, const char *wanted, size_t *ret)
{
	*ret = BILL_NO_COLUMN;
	for (size_t i = 0; i < count; i++, names += strlen(names) + 1) {
		if (!same_name(names, wanted))
			continue;
		if (*ret != BILL_NO_COLUMN)
			return -EEXIST;
		*ret = i;
	}
	return 0;
}

/* Which of the required columns is missing; NULL: none is. */
static const char *missing(const struct bill_format *format, const char *names, size_t count,
			   size_t *ret_there)
{
	const char *first = NULL;
	size_t found;

	*ret_there = 0;
	for (const char *const *required = format->required; *required; required++) {
		(void)find_column(names, count, *required, &found);
		if (found != BILL_NO_COLUMN)
			(*ret_there)++;
		else if (!first)
			first = *required;
	}
	return first;
}

static int refuse(const char *names, size_t count, struct error *err)
{
	const struct bill_format *nearest = NULL;
	size_t most = 0, there;

	for (size_t i = 0; i < FORMATS_COUNT; i++) {
		(void)missing(&FORMATS[i], names, count, &there);
		if (there > most) {
			most = there;
			nearest = &FORMATS[i];
		}
	}
	if (!nearest)
		return error_set(
			err, -EPROTO,
			"the columns are of no bill that is known here (FOCUS 1.0 to 1.3, "
			"AWS CUR 2.0, GCP's detailed export): the first of %zu is \"%.60s\"",
			count, names);
	return error_set(err, -EPROTO,
			 "the file looks like %s, and has no column %s: export it with all columns",
			 nearest->name, missing(nearest, names, count, &there));
}

static int find_all(const char *names, size_t count, struct bill_columns *columns,
		    struct error *err)
{
	for (size_t i = 0; columns->format->columns[i]; i++)
		if (find_column(names, count, columns->format->columns[i], &columns->found[i]) < 0)
			return error_set(err, -EPROTO, "the file has the column %s twice",
					 columns->format->columns[i]);
	return 0;
}

/* The name with the version of the newest column. */
static void name_version(const char *names, size_t count, struct bill_columns *columns)
{
	const char *version = NULL;
	size_t found;

	for (size_t i = 0;
	     columns->format == &FORMATS[0] && !version && i < sizeof(VERSIONS) / sizeof(*VERSIONS);
	     i++) {
		(void)find_column(names, count, VERSIONS[i].column, &found);
		if (found != BILL_NO_COLUMN)
			version = VERSIONS[i].version;
	}
	snprintf(columns->name, sizeof(columns->name), "%s%s%s", columns->format->name,
		 version ? " " : "", version ? version : "");
}

int bill_format_find(const char *names, size_t count, struct bill_columns *ret, struct error *err)
{
	size_t there;

	for (size_t i = 0; i < FORMATS_COUNT; i++) {
		if (missing(&FORMATS[i], names, count, &there))
			continue;
		ret->format = &FORMATS[i];
		name_version(names, count, ret);
		return find_all(names, count, ret, err);
	}
	return refuse(names, count, err);
}
