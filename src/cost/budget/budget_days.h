/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "cost/policy/policy.h"
#include "cost/sheet.h"

/* What the runs of each budget cost a UTC day, from a sheet in days. Pure. */
struct budget_days {
	int64_t *nusd;     /* budget × day_count + day, as budget_days_of() gives it */
	size_t day_count;  /* from that in which the sheet begins to that in which it ends */
	size_t known_days; /* the newest before the last one: all after that in which the first
			      host was seen */
	size_t priced_hosts, unpriced_hosts;
};

/* A run counts for each budget that it fits; what no run held counts for none. -EINVAL: not a sheet
 * in days; -ENOMEM. */
int budget_days_make(const struct cost_policy *policy, const struct sheet *sheet,
		     struct budget_days *ret);
void budget_days_clear(struct budget_days *days);
const int64_t *budget_days_of(const struct budget_days *days, size_t budget);
