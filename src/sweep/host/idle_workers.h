/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "sweep/finder.h"

/* The workers of a scheduler that are idle for a time and would take jobs. */
struct idle_workers {
	struct idle_worker {
		size_t host; /* its index in the input */
		int64_t since_at;
	} * items;
	size_t count;
};

/* Those idle for patience_ns that are not so by design. -ENOMEM. */
int idle_workers_find(const struct sweep_input *input, enum sweep_worker worker,
		      int64_t patience_ns, struct idle_workers *ret);
void idle_workers_clear(struct idle_workers *workers);
