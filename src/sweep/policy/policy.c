/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "sweep/policy/exemption.h"

void sweep_policy_init(struct sweep_policy *policy)
{
	*policy = (struct sweep_policy){ 0 };
	for (size_t i = 0; i < SWEEP_THRESHOLDS; i++)
		policy->thresholds[i] = SWEEP_THRESHOLD_ROWS[i].value;
}

static void free_list(struct sweep_exemption *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sweep_exemption_clear(&list[i]);
	free(list);
}

void sweep_policy_free(struct sweep_policy *policy)
{
	if (!policy)
		return;
	free_list(policy->exemptions, policy->exemption_count);
	free_list(policy->by_design, policy->by_design_count);
	free(policy);
}

bool sweep_policy_exempts(const struct sweep_policy *policy, const struct sweep_concerns *concerns)
{
	for (size_t i = 0; policy && i < policy->exemption_count; i++)
		if (sweep_exemption_fits(&policy->exemptions[i], concerns))
			return true;
	return false;
}

bool sweep_policy_by_design(const struct sweep_policy *policy, const char *hostname,
			    const char *tags)
{
	static char key[] = SWEEP_BY_DESIGN_KEY, value[] = SWEEP_BY_DESIGN_VALUE;
	const struct sweep_exemption marked = { .tag = key, .tag_value = value };
	const struct sweep_concerns concerns = { .hostname = hostname, .tags = tags };

	if (sweep_exemption_fits(&marked, &concerns))
		return true;
	for (size_t i = 0; policy && i < policy->by_design_count; i++)
		if (sweep_exemption_fits(&policy->by_design[i], &concerns))
			return true;
	return false;
}
