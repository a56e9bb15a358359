/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/*
 * The price of a host, and what some time on it costs. Every amount of money in Tracer is computed
 * here or by split.h, in whole nano-dollars, so that different answers agree to the last one.
 * Pure.
 */
#define COST_SOURCE_SIZE 256

struct cost_policy;

struct cost_price {
	double usd_hour; /* < 0: unknown; 0 is never a price */
	/* For people: "configured", "machine node*: 4,200 USD a year", "aws spot, eu-west-1, list
	 * of 2026-07-20 × 0.72 savings plan 2026". */
	char source[COST_SOURCE_SIZE];
};

/* What the price of a host is looked up by; texts may be NULL, which is as "". */
struct cost_machine {
	const char *hostname, *provider, *region, *type, *purchase;
	double configured_usd_hour; /* on the host; 0: not */
	double listed_usd_hour;     /* of a price file; 0: none has it */
	const char *list;           /* what it is called: "price list of 2026-11-01" */
};

/* The price of a host, the first of: what was configured on it; a machine of the policy, where no
 * cloud provider is known; a price file; the catalogue (cloud/cloud.h). The last two are multiplied
 * by the policy's factor. policy NULL: there are no settings. Unknown where none is there, or where
 * it is not within (0, BOUND_PRICE_USD_HOUR]: a store of an earlier version may hold such a price.
 */
struct cost_price cost_price(const struct cost_machine *machine, const struct cost_policy *policy);

static inline bool cost_is_known(double usd_hour)
{
	return usd_hour > 0;
}

/* Price × time in nano-dollars, rounded to the nearest; 0 where the price is unknown. usd_hour is
 * at most 10,000, ns at most ten years. */
int64_t cost_nusd(double usd_hour, uint64_t ns);
/* The part `part` / `of` of an amount, rounded to the nearest; part ≤ of, of > 0. */
int64_t cost_part(int64_t nusd, uint64_t part, uint64_t of);

/* Nano-dollars as dollars: the double nearest to the exact decimal. */
static inline double cost_usd(int64_t nusd)
{
	return (double)nusd / 1e9;
}
