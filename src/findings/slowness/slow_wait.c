/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/slowness/slow_wait.h"

#include <string.h>

#include "findings/threshold.h"

double slow_poll_ns(const struct slowness_facts *facts, const struct slow_link *link, size_t figure)
{
	const struct slow_figures *figures = &slow_task_of(facts, link)->figures;
	double part;

	memcpy(&part, (const char *)figures + figure, sizeof(part));
	return figures->poll_ns > 0 ? link->wall.ns[WALL_POLL] * part / figures->poll_ns : 0;
}

double slow_sleep_ns(const struct slowness_facts *facts, const struct slow_link *link)
{
	return link->wall.ns[WALL_SLEEP] + slow_poll_ns(facts, link, SLOW_FIGURE_AT(poll_timer_ns));
}

/* Programs of the group that were started beside the one that slept. */
static double others_started(const struct slow_group *group, const struct slow_tool *nap)
{
	double count = 0;

	for (size_t i = 0; i < group->facts->tool_count; i++) {
		const struct slow_tool *tool = &group->facts->tools[i];

		if (tool != nap && strcmp(tool->step, nap->step) == 0)
			count += tool->figures.executions;
	}
	return count;
}

/* A program that was started again and again slept once each time; one that lived on left its CPU
 * for each sleep, and for other waits. */
struct slow_naps slow_naps_of(const struct slow_group *group)
{
	const struct slow_tool *sleeps = slow_tool_of(group, SLOW_FIGURE_AT(sleep_ns));
	const struct slow_tool *polls = slow_tool_of(group, SLOW_FIGURE_AT(poll_timer_ns));
	struct slow_naps naps = { .tool = sleeps };
	double links = (double)group->count;

	if (polls && (!sleeps || polls->figures.poll_timer_ns > sleeps->figures.sleep_ns))
		naps.tool = polls;
	if (!naps.tool)
		return naps;
	naps.count = naps.tool->figures.executions > 3 ? naps.tool->figures.executions
						       : naps.tool->figures.ctx_voluntary;
	if (naps.count < 1)
		naps.count = 1;
	naps.mean_ns =
		(naps.tool->figures.sleep_ns + naps.tool->figures.poll_timer_ns) / naps.count;
	naps.asks = naps.mean_ns <= threshold(SLOW_NAP) &&
		    naps.count >= threshold(SLOW_NAPS) * links &&
		    others_started(group, naps.tool) < naps.count / 3;
	return naps;
}
