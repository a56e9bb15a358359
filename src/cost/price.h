/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/*
 * The price of a host, and what some time on it costs. Every amount of money in Tracer is computed
 * here or by allocation.h, in whole nano-dollars, so that different answers agree to the last one.
 * Pure.
 */
struct cost_price {
	double usd_hour;  /* < 0: unknown; 0 is never a price */
	char source[128]; /* for people: "configured", "aws on-demand us-east-1, 2026-07-20" */
};

/* The price of a host: the configured one (> 0), else that of the catalogue (cloud/cloud.h).
 * Unknown where neither is there, or where it is not within (0, BOUND_PRICE_USD_HOUR]: a store of
 * an earlier version may hold such a price. */
struct cost_price cost_price(const char *provider, const char *region, const char *type,
			     double configured_usd_hour);

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
