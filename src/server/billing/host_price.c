/* SPDX-License-Identifier: Apache-2.0 */
#include "server/billing/host_price.h"

#include <stdio.h>

#include "cost/price.h"

void host_price(void *server, const struct machine *machine, struct machine_price *ret)
{
	struct cost_price price = cost_price(machine->provider, machine->region,
					     machine->instance_type, machine->configured_usd_hour);

	(void)server;
	if (!cost_is_known(price.usd_hour))
		return;
	ret->usd_hour = price.usd_hour;
	snprintf(ret->source, sizeof(ret->source), "%s", price.source);
}
