/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/focus/focus_price.h"

#define NS_PER_HOUR ((int64_t)3600 * 1000000000)

/* Each cell is rounded once: at most one an hour, and two more where the bucket begins and ends. */
static bool gives(const struct sheet_price *price, const struct sheet_up *up)
{
	__int128 exact = (__int128)price->nusd_hour * up->up_ns / NS_PER_HOUR,
		 apart = exact - up->whole_nusd,
		 most = (up->until_at - up->since_at) / NS_PER_HOUR + 2;

	return apart <= most && apart >= -most;
}

static int64_t mean(const struct sheet_up *up)
{
	__int128 hour =
		up->up_ns > 0 ? ((__int128)up->whole_nusd * NS_PER_HOUR + up->up_ns / 2) / up->up_ns
			      : 0;

	return hour > 0 ? (int64_t)hour : up->whole_nusd > 0;
}

/* The newest of these prices that gives the amount. *last is the newest one that held, unless it is
 * set. */
static const struct sheet_price *find(const struct sheet_price *prices, size_t count,
				      const struct sheet_up *up, const struct sheet_price **last)
{
	while (count--) {
		const struct sheet_price *price = &prices[count];

		if (!price->known || price->since_at >= up->until_at ||
		    (price->until_at && price->until_at <= up->since_at))
			continue;
		*last = *last ? *last : price;
		if (gives(price, up) && price->nusd_hour > 0)
			return price;
	}
	return NULL;
}

void focus_price(const struct sheet_host *host, const struct sheet_up *up, struct focus_row *row)
{
	const struct sheet_price *last = NULL,
				 *price = find(host->bills, host->bill_count, up, &last);

	if (!price)
		price = find(host->prices, host->price_count, up, &last);
	row->nusd_hour = price ? price->nusd_hour : mean(up);
	last = price ? price : last;
	row->price_source = last && last->source ? last->source : "";
}
