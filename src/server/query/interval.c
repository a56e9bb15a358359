/* SPDX-License-Identifier: Apache-2.0 */
#include "server/query/interval.h"

#include <stdlib.h>

static int compare(const void *a_, const void *b_)
{
	const struct stretch *a = a_, *b = b_;

	if (a->host != b->host)
		return a->host < b->host ? -1 : 1;
	if (a->since_at != b->since_at)
		return a->since_at < b->since_at ? -1 : 1;
	return 0;
}

size_t stretch_join(struct stretch *stretches, size_t count, int64_t gap_ns)
{
	size_t kept = 0;

	if (count)
		qsort(stretches, count, sizeof(*stretches), compare);
	for (size_t i = 0; i < count; i++) {
		struct stretch *last = kept ? &stretches[kept - 1] : NULL;

		if (stretches[i].until_at <= stretches[i].since_at)
			continue;
		if (!last || last->host != stretches[i].host ||
		    stretches[i].since_at - last->until_at > gap_ns)
			stretches[kept++] = stretches[i];
		else if (stretches[i].until_at > last->until_at)
			last->until_at = stretches[i].until_at;
	}
	return kept;
}
