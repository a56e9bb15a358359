/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>

#include "sweep/finder.h"

/* Takes up to want of what is left; returns how much. */
static int64_t take(int64_t *left, int64_t want)
{
	int64_t got = want < *left ? want : *left;

	*left -= got;
	return got;
}

/* A host without a known price limits no claim: a task may have one by its record. */
static int64_t claim(const struct sweep_input *input, int64_t *left, const struct waste *waste)
{
	const struct sweep_host *host = sweep_host_find(input, waste->host_id);
	int64_t claimed = 0;

	if (waste->nusd_hour <= 0 || waste->use_unknown)
		return 0;
	for (size_t i = 0; i < waste->host_count; i++)
		claimed += take(&left[waste->hosts[i]], waste->nusd_hour - claimed);
	if (waste->host_count > 0)
		return claimed;
	if (!host || host->nusd_hour < 0)
		return waste->nusd_hour;
	return take(&left[host - input->hosts], waste->nusd_hour);
}

int sweep_claim(const struct sweep_input *input, struct wastes *wastes)
{
	int64_t *left = calloc(input->host_count + 1, sizeof(*left));

	if (!left)
		return -ENOMEM;
	for (size_t i = 0; i < input->host_count; i++)
		left[i] = input->hosts[i].nusd_hour > 0 ? input->hosts[i].nusd_hour : 0;
	for (size_t i = 0; i < wastes->count; i++)
		wastes->items[i].claimed_nusd = claim(input, left, &wastes->items[i]);
	free(left);
	return 0;
}

int64_t sweep_nusd_hour(const struct wastes *wastes, size_t *ret_unknown)
{
	int64_t sum = 0;

	*ret_unknown = 0;
	for (size_t i = 0; i < wastes->count; i++) {
		*ret_unknown += wastes->items[i].nusd_hour < 0;
		sum += wastes->items[i].claimed_nusd;
	}
	return sum;
}
