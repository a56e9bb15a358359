/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "fixture_batch.h"

/* Once the bill of a machine is there, what ran on it costs what was billed. */

#define RUN    "/api/v1/runs/" EXAMPLE_RUN
#define BILLED 1.5 /* USD an hour; the host says 0.4 */

static struct lake lake;

static int start(void **state)
{
	struct example example;

	lake_make(&lake);
	lake_start(&lake, NULL);
	example_make(&example, 1);
	example.host.provider = (char[]){ "aws" };
	example.host.instance_id = (char[]){ "i-0123456789abcdef0" };
	return example_post(&lake, &example, NULL) != 200;
}

static int stop(void **state)
{
	return lake_end(&lake);
}

static double usd_of_run(json_t **ret)
{
	const json_t *cost;

	*ret = lake_get(&lake, RUN, 200);
	cost = json_object_get(*ret, "cost");
	return json_number_value(json_object_get(cost, "whole_usd"));
}

static void write_instant(struct buffer *bill, time_t at)
{
	char text[32];
	struct tm parts;

	gmtime_r(&at, &parts);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:00:00Z,", &parts);
	buffer_append_text(bill, text);
}

/* Hours of the instance, until the current one, at a price of the bill. */
static void write_bill(struct buffer *bill, double usd_hour)
{
	time_t now = (time_t)(clock_real_ns() / NS_PER_S);

	buffer_init(bill, 0);
	buffer_append_text(bill,
			   "ChargePeriodStart,ChargePeriodEnd,BilledCost,EffectiveCost,ListCost,"
			   "ContractedCost,BillingCurrency,BillingAccountId,BillingPeriodStart,"
			   "BillingPeriodEnd,ChargeCategory,ConsumedQuantity,ConsumedUnit,"
			   "InvoiceId,ProviderName,ResourceId,ServiceCategory,ServiceName\n");
	for (int hour = -2; hour <= 0; hour++) {
		write_instant(bill, now + hour * 3600);
		write_instant(bill, now + (hour + 1) * 3600);
		buffer_printf(bill,
			      "%g,%g,%g,%g,USD,1,2026-01-01T00:00:00Z,2027-01-01T00:00:00Z,Usage,1,"
			      "Hours,INV,AWS,i-0123456789abcdef0,Compute,Amazon EC2\n",
			      usd_hour, usd_hour, usd_hour, usd_hour);
	}
}

static void what_ran_costs_what_was_billed(void **state)
{
	struct answer answer;
	struct buffer bill;
	json_t *before, *after, *costs;
	double listed = usd_of_run(&before), billed;

	assert_true(fabs(listed - 0.4 / 6) < 3e-9);
	write_bill(&bill, BILLED);
	lake_ask(&lake, "POST", "/api/v1/bills?name=november.csv", lake.admin,
		 "Content-Type: text/csv\r\n", bill.data, bill.len, &answer);
	if (answer.status != 201)
		fail_msg("%d %s", answer.status, answer.body.data);
	billed = usd_of_run(&after);
	assert_true(fabs(billed - BILLED / 6) < 3e-9);
	costs = lake_get(&lake, "/api/v1/cost?days=1&by=host", 200);
	assert_true(json_is_true(json_object_get(costs, "billed")));
	json_decref(before);
	json_decref(after);
	json_decref(costs);
	answer_clear(&answer);
	buffer_clear(&bill);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_ran_costs_what_was_billed),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
