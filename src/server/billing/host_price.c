/* SPDX-License-Identifier: Apache-2.0 */
#include "server/billing/host_price.h"

#include <stdio.h>

#include "cost/price.h"
#include "server/server.h"

void host_price(void *context, const struct machine *machine, struct machine_price *ret)
{
	const struct server *server = context;
	const struct cost_machine asked = {
		.hostname = machine->hostname,
		.provider = machine->provider,
		.region = machine->region,
		.type = machine->instance_type,
		.purchase = machine->purchase,
		.configured_usd_hour = machine->configured_usd_hour,
		.listed_usd_hour = machine->listed_usd_hour,
		.list = machine->list,
	};
	struct cost_price price = cost_price(&asked, server->policy);

	if (!cost_is_known(price.usd_hour))
		return;
	ret->usd_hour = price.usd_hour;
	snprintf(ret->source, sizeof(ret->source), "%s", price.source);
}
