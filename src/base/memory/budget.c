/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory/budget.h"

bool memory_budget_take(struct memory_budget *budget, size_t bytes)
{
	size_t held = atomic_load(&budget->held);

	do {
		if (bytes > budget->limit || held > budget->limit - bytes)
			return false;
	} while (!atomic_compare_exchange_weak(&budget->held, &held, held + bytes));
	return true;
}

void memory_budget_give(struct memory_budget *budget, size_t bytes)
{
	atomic_fetch_sub(&budget->held, bytes);
}
