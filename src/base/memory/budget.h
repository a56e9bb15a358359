/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Memory that several holders share, up to a limit. Any number of threads. */
struct memory_budget {
	atomic_size_t held;
	size_t limit; /* bytes; set once, before it is used */
};

/* false: so many more would be beyond the limit; nothing is taken. */
bool memory_budget_take(struct memory_budget *budget, size_t bytes);
void memory_budget_give(struct memory_budget *budget, size_t bytes);
