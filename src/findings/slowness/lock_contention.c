/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "findings/slowness/kind.h"
#include "findings/slowness/slow_finding.h"
#include "findings/threshold.h"

/* How often threads of the tool waited for a lock, at least: not what may have been for something
 * else that they waited for, such as room in a pipe. */
static double lock_switches(const struct slow_figures *figures)
{
	double others = figures->threads_ns - figures->user_ns - figures->kernel_ns -
			figures->runnable_ns - figures->lock_ns;

	return figures->ctx_voluntary - fmax(0, others) / threshold(SLOW_BRIEF_NS);
}

/* Threads that take turns: they wait for locks for longer than one of them computes, often and
 * briefly. Idle threads of a pool wait seldom and long. Other programs of a task do not count. */
bool slow_takes_turns(const struct slowness_facts *facts, const struct slow_link *link)
{
	const struct slow_tool *tool = slow_most_of(facts, link, SLOW_FIGURE_AT(lock_ns));
	const struct slow_figures *most = tool ? &tool->figures : NULL;

	return most && most->threads_peak >= 2 && most->wall_computing_ns > 0 &&
	       most->wall_serial_ns >= threshold(SLOW_TURNS) * most->wall_computing_ns &&
	       most->lock_ns >= most->wall_computing_ns &&
	       most->lock_ns <= lock_switches(most) * threshold(SLOW_TURN_NS);
}

/* Without the lock, as many of its threads as there are CPUs would compute at once. */
static double turns_ns(const struct slowness_facts *facts, const struct slow_link *link)
{
	const struct slow_task *task = slow_task_of(facts, link);
	const struct slow_host *host = slow_host_of(facts, link);
	double cpus = host && host->cpus > 0 ? fmin(host->cpus, task->figures.threads_peak) : 1;

	return slow_takes_turns(facts, link) ? link->wall.serial_ns * (1 - 1 / cpus) : 0;
}

static double lost_ns(const struct slowness_facts *facts, const struct slow_link *link)
{
	return slow_is_stuck(facts, link) ? 0 : link->wall.ns[WALL_LOCK] + turns_ns(facts, link);
}

static int write(const struct slow_group *group, struct slow_words *ret)
{
	const struct slow_tool *tool = slow_tool_of(group, SLOW_FIGURE_AT(lock_ns));
	bool turns = slow_takes_turns(group->facts, group->most);
	CLEANUP(freep) char *where = NULL;
	char lost[32], wall[32];

	if (!turns && slow_tool_of(group, SLOW_FIGURE_AT(wall_lock_ns)))
		tool = slow_tool_of(group, SLOW_FIGURE_AT(wall_lock_ns));
	where = slow_where(group, tool);
	text_duration((uint64_t)group->lost_ns, lost, sizeof(lost));
	text_duration((uint64_t)group->facts->wall_ns, wall, sizeof(wall));
	ret->confidence = turns ? CONFIDENCE_MEDIUM : CONFIDENCE_HIGH;
	if (!where || asprintf(&ret->headline, "%s of it waiting for locks", lost) < 0 ||
	    asprintf(
		    &ret->summary,
		    turns ? "The threads of %s took turns: one computed while the others waited for "
			    "a lock. On all CPUs of the host it would take about %s of %s less."
			  : "%s waited for a lock that another process or thread held, for %s of "
			    "%s.",
		    where, lost, wall) < 0 ||
	    asprintf(
		    &ret->advice, "%s",
		    turns ? "Use fewer threads, or several processes with a part of the data each."
			  : "Do not run at the same time what uses the same lock, or give each its "
			    "own file.") < 0)
		return -ENOMEM;
	return 0;
}

static void evidence(const struct slow_group *group, struct json *json)
{
	const struct slow_tool *tool = slow_tool_of(group, SLOW_FIGURE_AT(lock_ns));
	struct slow_figures sum = slow_sum(group);

	slow_evidence_text(json, "tool", tool ? tool->name : "");
	slow_evidence_count(json, "threads_peak", sum.threads_peak);
	slow_evidence_ns(json, "lock_ns", sum.lock_ns);
	slow_evidence_ns(json, "serial_ns", sum.wall_serial_ns);
	slow_evidence_count(json, "switches", sum.ctx_voluntary);
}

const struct slow_kind slow_kind_lock_contention = {
	.name = "lock_contention",
	.by_step = true,
	.lost_ns = lost_ns,
	.write = write,
	.evidence = evidence,
};
