/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/sheet_private.h"

/* Where the next price, or a billed time, begins or ends behind an instant; at most until_at. */
static int64_t next_change(const struct sheet_host *host, size_t price, size_t billed, int64_t at,
			   int64_t until_at)
{
	if (price < host->price_count && host->prices[price].since_at < until_at)
		until_at = host->prices[price].since_at;
	if (billed < host->bill_count) {
		const struct sheet_price *bill = &host->bills[billed];
		int64_t change = bill->since_at > at ? bill->since_at : bill->until_at;

		until_at = change < until_at ? change : until_at;
	}
	return until_at;
}

size_t sheet_stretches_most(const struct sheet_host *host)
{
	return host->price_count + 2 * host->bill_count + 2;
}

size_t sheet_stretches(const struct sheet_host *host, int64_t since_at, int64_t until_at,
		       struct sheet_stretch *ret)
{
	size_t price = 0, billed = 0, count = 0;
	int64_t at = since_at;

	while (at < until_at) {
		const struct sheet_price *of = NULL;

		while (price < host->price_count && host->prices[price].since_at <= at)
			price++;
		while (billed < host->bill_count && host->bills[billed].until_at <= at)
			billed++;
		if (billed < host->bill_count && host->bills[billed].since_at <= at)
			of = &host->bills[billed];
		else if (price)
			of = &host->prices[price - 1];
		ret[count] = (struct sheet_stretch){
			.stretch = { at, next_change(host, price, billed, at, until_at), 0 }
		};
		if (of && of->known) {
			ret[count].stretch.nusd_hour = of->nusd_hour;
			ret[count].known = true;
			ret[count].billed = of->until_at != 0;
		}
		at = ret[count++].stretch.until_at;
	}
	return count;
}
