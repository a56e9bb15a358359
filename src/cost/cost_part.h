/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "cost/split.h"

static inline int64_t cost_part_sum(const struct cost_part *part)
{
	return part->used_nusd + part->unused_nusd + part->idle_nusd;
}

static inline void cost_part_add(struct cost_part *to, const struct cost_part *part)
{
	to->used_nusd += part->used_nusd;
	to->unused_nusd += part->unused_nusd;
	to->idle_nusd += part->idle_nusd;
}
