/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "findings/request_advice.h"
#include "findings/slowness/kind.h"
#include "findings/slowness/slow_cpu.h"
#include "findings/slowness/slow_finding.h"
#include "findings/threshold.h"

/* The CPUs that could have been used: asked for, there, and, where that is known, free. */
static double cpus_of(const struct slowness_facts *facts, const struct slow_link *link)
{
	const struct slow_task *task = slow_task_of(facts, link);
	const struct slow_host *host = slow_host_of(facts, link);
	double cpus = task->cpus_requested;

	if (host && host->cpus > 0)
		cpus = fmin(cpus, host->cpus);
	if (host && host->inside_ns >= threshold(SLOW_SAMPLED) * facts->wall_ns &&
	    host->inside_ns > 0)
		cpus = fmin(cpus, 1 + slow_cpu_idle(host));
	return cpus;
}

/* By Amdahl: what ran on one CPU could have been spread over those that were asked for. */
static double lost_ns(const struct slowness_facts *facts, const struct slow_link *link)
{
	double cpus = cpus_of(facts, link);

	return cpus <= 1 || link->span.waits || slow_takes_turns(facts, link)
		       ? 0
		       : link->wall.serial_ns * (1 - 1 / cpus);
}

static double serial_ns(const struct slow_group *group)
{
	double sum = 0;

	for (size_t i = 0; i < group->count; i++)
		sum += group->links[i]->wall.serial_ns;
	return sum;
}

/* The time of the links without that in which no CPU was free for them. */
static double used_ns(const struct slow_group *group)
{
	double ns = group->span_ns;

	for (size_t i = 0; i < group->count; i++)
		ns -= group->links[i]->wall.ns[WALL_RUNNABLE];
	return ns > 0 ? ns : 0;
}

/* An ordinary program reads its input and writes its results on one CPU. */
static double saves_ns(const struct slow_group *group)
{
	return serial_ns(group) >= threshold(SLOW_SERIAL) * used_ns(group) ? group->lost_ns : 0;
}

static int write(const struct slow_group *group, struct slow_words *ret)
{
	const struct slow_task *task = slow_task_of(group->facts, group->most);
	const struct slow_tool *tool = slow_tool_of(group, SLOW_FIGURE_AT(wall_serial_ns));
	CLEANUP(freep) char *where = slow_where(group, tool);
	CLEANUP(freep) char *less = cpus_advice(group->facts->engine, task->requested_by, 1);
	double share = 100 * serial_ns(group) / used_ns(group);

	ret->confidence = CONFIDENCE_HIGH;
	if (!where || !less ||
	    asprintf(&ret->headline, "one of %g CPUs used for %.0f %% of %s", task->cpus_requested,
		     share, where) < 0 ||
	    asprintf(&ret->summary, "%g CPUs requested, 1.0 used for %.0f %% of the time, in %s.",
		     task->cpus_requested, share, where) < 0 ||
	    asprintf(&ret->advice,
		     "Let it use more threads where it has an option for that (-t, -@, --threads), "
		     "or ask for one CPU. %s",
		     less) < 0)
		return -ENOMEM;
	return 0;
}

static void evidence(const struct slow_group *group, struct json *json)
{
	const struct slow_tool *tool = slow_tool_of(group, SLOW_FIGURE_AT(wall_serial_ns));
	const struct slow_host *host = slow_host_of(group->facts, group->most);

	slow_evidence_text(json, "tool", tool ? tool->name : "");
	slow_evidence_number(json, "cpus_requested",
			     slow_task_of(group->facts, group->most)->cpus_requested);
	slow_evidence_ns(json, "serial_ns", serial_ns(group));
	slow_evidence_ns(json, "wall_ns", group->span_ns);
	if (host)
		slow_evidence_number(json, "host_cpus", host->cpus);
}

const struct slow_kind slow_kind_serial = {
	.name = "serial",
	.by_step = true,
	.lost_ns = lost_ns,
	.saves_ns = saves_ns,
	.write = write,
	.evidence = evidence,
};
