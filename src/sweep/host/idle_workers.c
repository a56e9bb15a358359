/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/host/idle_workers.h"

#include <errno.h>
#include <stdlib.h>

#include "sweep/host/host_rest.h"

int idle_workers_find(const struct sweep_input *input, enum sweep_worker worker,
		      int64_t patience_ns, struct idle_workers *ret)
{
	struct idle_worker *items = calloc(input->host_count + 1, sizeof(*items));
	size_t count = 0;

	if (!items)
		return -ENOMEM;
	for (size_t i = 0; i < input->host_count; i++) {
		const struct sweep_host *host = &input->hosts[i];
		int64_t busy_until =
			host->job_until > host->used_until ? host->job_until : host->used_until;
		struct host_rest rest;

		if (host->worker == worker && !host->by_design &&
		    host_is_at_rest(input, host, busy_until, patience_ns, &rest))
			items[count++] = (struct idle_worker){ i, rest.since_at };
	}
	*ret = (struct idle_workers){ items, count };
	return 0;
}

void idle_workers_clear(struct idle_workers *workers)
{
	free(workers->items);
	*workers = (struct idle_workers){ 0 };
}
