/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/interval.h"

#include <stdlib.h>

static int compare(const void *a_, const void *b_)
{
	const struct interval *a = a_, *b = b_;

	if (a->host != b->host)
		return a->host < b->host ? -1 : 1;
	if (a->since_at != b->since_at)
		return a->since_at < b->since_at ? -1 : 1;
	return 0;
}

size_t intervals_join(struct interval *intervals, size_t count, int64_t gap_ns)
{
	size_t kept = 0;

	if (count)
		qsort(intervals, count, sizeof(*intervals), compare);
	for (size_t i = 0; i < count; i++) {
		struct interval *last = kept ? &intervals[kept - 1] : NULL;

		if (intervals[i].until_at <= intervals[i].since_at)
			continue;
		if (!last || last->host != intervals[i].host ||
		    intervals[i].since_at - last->until_at > gap_ns)
			intervals[kept++] = intervals[i];
		else if (intervals[i].until_at > last->until_at)
			last->until_at = intervals[i].until_at;
	}
	return kept;
}
