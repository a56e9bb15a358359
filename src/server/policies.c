/* SPDX-License-Identifier: Apache-2.0 */
#include "server/policies.h"

#include "server/billing/policy_file.h"
#include "server/server.h"
#include "server/sweep/sweep_policy_file.h"

int policies_read(struct server *server, struct error *err)
{
	int rc = cost_policy_read(server->settings->cost_file, &server->policy, err);

	return rc ? rc
		  : sweep_policy_read(server->settings->waste_file, &server->waste_policy, err);
}

void policies_clear(struct server *server)
{
	cost_policy_free(server->policy);
	sweep_policy_free(server->waste_policy);
}
