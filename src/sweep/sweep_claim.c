/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>

#include "sweep/finder.h"

/* What is left of the price of a host, or NULL where the waste is of none. */
static int64_t *left_of(const struct sweep_input *input, int64_t *left, const struct waste *waste)
{
	const struct sweep_host *host = sweep_host_find(input, waste->host_id);

	return host && host->nusd_hour >= 0 ? &left[host - input->hosts] : NULL;
}

void sweep_claim(const struct sweep_input *input, struct wastes *wastes)
{
	int64_t *left = calloc(input->host_count + 1, sizeof(*left));

	for (size_t i = 0; left && i < input->host_count; i++)
		left[i] = input->hosts[i].nusd_hour;
	for (size_t i = 0; i < wastes->count; i++) {
		struct waste *waste = &wastes->items[i];
		int64_t *rest = left ? left_of(input, left, waste) : NULL;

		waste->claimed = waste->nusd_hour >= 0 && (!rest || *rest >= waste->nusd_hour);
		if (waste->claimed && rest)
			*rest -= waste->nusd_hour;
	}
	free(left);
}

int64_t sweep_nusd_hour(const struct wastes *wastes, size_t *ret_unknown)
{
	int64_t sum = 0;

	*ret_unknown = 0;
	for (size_t i = 0; i < wastes->count; i++) {
		if (wastes->items[i].nusd_hour < 0)
			++*ret_unknown;
		else if (wastes->items[i].claimed)
			sum += wastes->items[i].nusd_hour;
	}
	return sum;
}
