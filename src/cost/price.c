/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/price.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "cloud/cloud.h"
#include "signal/bounds.h"

#define NANO        1e9
#define NS_PER_HOUR (3600 * NS_PER_S)

struct cost_price cost_price(const char *provider, const char *region, const char *type,
			     double configured_usd_hour)
{
	struct cost_price price = { .usd_hour = -1 };
	struct cloud_price found;

	if (cloud_price(provider, region, type, configured_usd_hour, &found) ||
	    !(found.usd_hour > 0 && found.usd_hour <= BOUND_PRICE_USD_HOUR))
		return price;
	price.usd_hour = found.usd_hour;
	memcpy(price.source, found.source, sizeof(price.source));
	return price;
}

int64_t cost_nusd(double usd_hour, uint64_t ns)
{
	unsigned __int128 hourly =
		cost_is_known(usd_hour) ? (unsigned __int128)llround(usd_hour * NANO) : 0;

	return (int64_t)((hourly * ns + NS_PER_HOUR / 2) / NS_PER_HOUR);
}

int64_t cost_part(int64_t nusd, uint64_t part, uint64_t of)
{
	return (int64_t)(((unsigned __int128)nusd * part + of / 2) / of);
}
