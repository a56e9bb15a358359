/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "findings/finders.h"
#include "findings/threshold.h"

/* true: known, and at least the share of the whole that is worth a finding. */
static bool is_worth(double saving, double whole)
{
	return saving >= 0 && whole >= 0 && saving >= threshold(RUN_SHARE) * whole;
}

/* What is known of its savings is too little. One of which nothing is known, as of failures, stays.
 */
static bool is_small(const struct finding_run *run, const struct finding *finding)
{
	double wall_s = (double)run->wall_ns / (double)NS_PER_S;
	bool known = (finding->saves_s >= 0 && run->wall_ns > 0) ||
		     (finding->saves_usd >= 0 && run->cost_usd >= 0);

	return known && !is_worth(finding->saves_s, wall_s) &&
	       !(run->cost_usd >= 0 && is_worth(finding->saves_usd, run->cost_usd));
}

/* Moves a finding before those that are less severe. */
static void sift(struct finding *items, size_t index)
{
	struct finding moved = items[index];

	for (; index > 0 && items[index - 1].severity < moved.severity; index--)
		items[index] = items[index - 1];
	items[index] = moved;
}

void findings_order(const struct finding_run *run, struct findings *findings)
{
	for (size_t i = findings->count; i-- > 0;)
		if (findings->items[i].severity != FINDING_CRITICAL &&
		    is_small(run, &findings->items[i]))
			findings_remove(findings, i);
	for (size_t i = 1; i < findings->count; i++)
		sift(findings->items, i);
}
