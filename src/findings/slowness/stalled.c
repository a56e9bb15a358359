/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "findings/slowness/kind.h"
#include "findings/slowness/slow_finding.h"
#include "findings/threshold.h"

/* Waits that something else must end. */
static double hung_ns(const struct slow_link *link)
{
	return link->wall.ns[WALL_LOCK] + link->wall.ns[WALL_PIPE_READ] +
	       link->wall.ns[WALL_PIPE_WRITE];
}

/* The stall of the task; NULL: none is recorded. */
static const struct slow_stall *stall_of(const struct slowness_facts *facts,
					 const struct slow_link *link)
{
	const char *task = slow_task_of(facts, link)->id;

	for (size_t i = 0; i < facts->stall_count; i++)
		if (strcmp(facts->stalls[i].task_id, task) == 0 &&
		    facts->stalls[i].since_at < link->span.ended_at &&
		    facts->stalls[i].until_at > link->span.began_at)
			return &facts->stalls[i];
	return NULL;
}

/* Of the step's program that waits for locks longest nearly all time that is known; its last
 * seconds are not known yet. That it waited for its memory before is no progress. */
static bool tool_hangs(const struct slowness_facts *facts, const struct slow_link *link)
{
	const struct slow_tool *tool = slow_most_of(facts, link, SLOW_FIGURE_AT(wall_lock_ns));
	const struct slow_figures *most = tool ? &tool->figures : NULL;

	return most && most->wall_lock_ns >= threshold(SLOW_STUCK) *
						     (most->wall_lock_ns + most->wall_computing_ns +
						      most->wall_runnable_ns + most->wall_disk_ns +
						      most->wall_network_ns + most->wall_poll_ns +
						      most->wall_sleep_ns);
}

/* By its event; else of a run that goes on, its last task waits for nothing that moves: no CPU
 * time, and only waits that another thread or process would have to end. */
bool slow_is_stuck(const struct slowness_facts *facts, const struct slow_link *link)
{
	double span_ns = (double)(link->span.ended_at - link->span.began_at);

	if (stall_of(facts, link))
		return true;
	return facts->running && link == &facts->links[facts->link_count - 1] &&
	       hung_ns(link) >= threshold(SLOW_STUCK_NS) &&
	       (hung_ns(link) >= threshold(SLOW_STUCK) * span_ns || tool_hangs(facts, link));
}

static double lost_ns(const struct slowness_facts *facts, const struct slow_link *link)
{
	const struct slow_stall *stall = stall_of(facts, link);
	int64_t from, to;

	if (!stall)
		return slow_is_stuck(facts, link) ? hung_ns(link) : 0;
	from = stall->since_at > link->span.began_at ? stall->since_at : link->span.began_at;
	to = stall->until_at < link->span.ended_at ? stall->until_at : link->span.ended_at;
	return (double)(to - from);
}

static int write(const struct slow_group *group, struct slow_words *ret)
{
	const struct slow_stall *stall = stall_of(group->facts, group->most);
	const struct slow_tool *tool = slow_tool_of(group, SLOW_FIGURE_AT(wall_lock_ns));
	CLEANUP(freep) char *where = slow_where(group, tool);
	char lost[32];

	text_duration((uint64_t)group->lost_ns, lost, sizeof(lost));
	ret->confidence = stall ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM;
	if (!where || asprintf(&ret->headline, "nothing moved in %s for %s", where, lost) < 0 ||
	    asprintf(
		    &ret->summary,
		    "%s made no progress for %s: it used no CPU time and moved no data, and waited for "
		    "%s.%s%s",
		    where, lost,
		    group->most->wall.ns[WALL_LOCK] > 0 ? "a lock that no one released"
							: "what another process owes it",
		    stall ? " " : "", stall ? stall->summary : "") < 0 ||
	    asprintf(
		    &ret->advice,
		    "Look at it while it hangs (gdb -p, py-spy dump, jstack), then end it: two threads or "
		    "processes that wait for each other never go on.") < 0)
		return -ENOMEM;
	return 0;
}

static void evidence(const struct slow_group *group, struct json *json)
{
	const struct slow_stall *stall = stall_of(group->facts, group->most);

	slow_evidence_ns(json, "stalled_ns", group->lost_ns);
	if (!stall)
		return;
	slow_evidence_count(json, "pid", (double)stall->pid);
	json_key(json, "start_ns");
	json_i64(json, stall->start_ns);
}

const struct slow_kind slow_kind_stalled = {
	.name = "stalled",
	.by_step = true,
	.lost_ns = lost_ns,
	.write = write,
	.evidence = evidence,
};
