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

/* Who polls with a timeout while it has connections that it made waits for an answer, and looks at
 * the clock meanwhile (curl, each second). */
static bool asks_a_peer(const struct slow_figures *figures)
{
	return figures->net_connects > 0;
}

/* Of the polls of a link that a timeout ended, those for an answer. */
static double answer_ns(const struct slowness_facts *facts, const struct slow_link *link)
{
	const struct slow_task *task = slow_task_of(facts, link);
	double ns = slow_poll_ns(facts, link, SLOW_FIGURE_AT(poll_timer_ns)), all = 0, asked = 0;

	if (!(ns > 0 && asks_a_peer(&task->figures)))
		return 0;
	for (size_t i = 0; i < facts->tool_count; i++) {
		const struct slow_tool *tool = &facts->tools[i];

		if (strcmp(tool->step, task->step) != 0)
			continue;
		all += tool->figures.poll_timer_ns;
		asked += asks_a_peer(&tool->figures) ? tool->figures.poll_timer_ns : 0;
	}
	return all > 0 ? ns * asked / all : 0;
}

double slow_sleep_ns(const struct slowness_facts *facts, const struct slow_link *link)
{
	return link->wall.ns[WALL_SLEEP] +
	       slow_poll_ns(facts, link, SLOW_FIGURE_AT(poll_timer_ns)) - answer_ns(facts, link);
}

double slow_network_ns(const struct slowness_facts *facts, const struct slow_link *link)
{
	return link->wall.ns[WALL_NETWORK] +
	       slow_poll_ns(facts, link, SLOW_FIGURE_AT(poll_network_ns)) + answer_ns(facts, link);
}

/* Programs of the group that were started beside the one that slept, each time or often. What was
 * started once or twice is around the loop. */
static double others_started(const struct slow_group *group, const struct slow_tool *nap)
{
	double count = 0;

	for (size_t i = 0; i < group->facts->tool_count; i++) {
		const struct slow_tool *tool = &group->facts->tools[i];

		if (tool != nap && tool->figures.executions > threshold(SLOW_AROUND) &&
		    strcmp(tool->step, nap->step) == 0)
			count += tool->figures.executions;
	}
	return count;
}

static double slept_ns(const struct slow_tool *tool)
{
	const struct slow_figures *figures = &tool->figures;

	return figures->sleep_ns + (asks_a_peer(figures) ? 0 : figures->poll_timer_ns);
}

static const struct slow_tool *sleeper_of(const struct slow_group *group)
{
	const struct slow_tool *most = NULL;

	for (size_t i = 0; i < group->facts->tool_count; i++) {
		const struct slow_tool *tool = &group->facts->tools[i];

		if (slept_ns(tool) > (most ? slept_ns(most) : 0) && slow_is_of(group, tool->step))
			most = tool;
	}
	return most;
}

/* Links of one task follow each other. */
static double tasks_of(const struct slow_group *group)
{
	const struct slow_task *last = NULL;
	double count = 0;

	for (size_t i = 0; i < group->count; i++) {
		const struct slow_task *task = slow_task_of(group->facts, group->links[i]);

		count += i == 0 || task != last;
		last = task;
	}
	return count;
}

/* A program that was started again and again slept once each time; one that lived on left its CPU
 * for each sleep, and for other waits. */
struct slow_naps slow_naps_of(const struct slow_group *group)
{
	struct slow_naps naps = { .tool = sleeper_of(group) };
	const struct slow_figures *figures;

	if (!naps.tool)
		return naps;
	figures = &naps.tool->figures;
	naps.count = figures->executions > 3 ? figures->executions : figures->ctx_voluntary;
	if (naps.count < 1)
		naps.count = 1;
	naps.mean_ns = slept_ns(naps.tool) / naps.count;
	naps.asks = naps.mean_ns <= threshold(SLOW_NAP) &&
		    naps.count >= threshold(SLOW_NAPS) * tasks_of(group) &&
		    others_started(group, naps.tool) < naps.count / 3;
	return naps;
}
