/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/price.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "cloud/cloud.h"
#include "cost/policy/policy.h"
#include "signal/bounds.h"

#define NANO        1e9
#define NS_PER_HOUR (3600 * NS_PER_S)

/* Each finds a price; false: it has none of this machine. */
static bool find_configured(const struct cost_machine *machine, const struct cost_policy *policy,
			    struct cost_price *price)
{
	(void)policy;
	if (!(machine->configured_usd_hour > 0))
		return false;
	*price = (struct cost_price){ machine->configured_usd_hour, "configured" };
	return true;
}

static bool find_machine(const struct cost_machine *machine, const struct cost_policy *policy,
			 struct cost_price *price)
{
	struct cloud_list list;
	char words[COST_POLICY_WORDS];

	if (!policy || cloud_list(machine->provider, &list) == 0 ||
	    !cost_policy_machine(policy, machine->hostname, &price->usd_hour, words))
		return false;
	snprintf(price->source, sizeof(price->source), "%s", words);
	return true;
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static bool find_listed(const struct cost_machine *machine, const struct cost_policy *policy,
			struct cost_price *price)
{
	bool spot = strcmp(or_empty(machine->purchase), "spot") == 0;
	struct cloud_price found;

	(void)policy;
	if (machine->listed_usd_hour > 0) {
		price->usd_hour = machine->listed_usd_hour;
		snprintf(price->source, sizeof(price->source), "%.8s %s, %.32s, %.80s",
			 or_empty(machine->provider), spot ? "spot" : "on demand",
			 or_empty(machine->region), or_empty(machine->list));
		return true;
	}
	if (cloud_price(machine->provider, machine->region, machine->type, machine->purchase, 0,
			&found))
		return false;
	price->usd_hour = found.usd_hour;
	snprintf(price->source, sizeof(price->source), "%s", found.source);
	return true;
}

static bool find_discounted(const struct cost_machine *machine, const struct cost_policy *policy,
			    struct cost_price *price)
{
	const char *name = NULL;
	double factor = 1;
	size_t len;

	if (!find_listed(machine, policy, price))
		return false;
	if (policy)
		factor = cost_policy_factor(policy, machine->provider, machine->type,
					    machine->region, machine->purchase, &name);
	len = strlen(price->source);
	if (name)
		snprintf(price->source + len, sizeof(price->source) - len, " × %g %.80s", factor,
			 name);
	price->usd_hour *= factor;
	return true;
}

struct cost_price cost_price(const struct cost_machine *machine, const struct cost_policy *policy)
{
	static bool (*const finders[])(const struct cost_machine *machine,
				       const struct cost_policy *policy,
				       struct cost_price *price) = {
		find_configured,
		find_machine,
		find_discounted,
	};
	struct cost_price price = { .usd_hour = -1 };

	for (size_t i = 0; i < sizeof(finders) / sizeof(finders[0]); i++) {
		if (!finders[i](machine, policy, &price))
			continue;
		if (price.usd_hour > 0 && price.usd_hour <= BOUND_PRICE_USD_HOUR)
			return price;
		break;
	}
	return (struct cost_price){ .usd_hour = -1 };
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
