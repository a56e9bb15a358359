/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "findings/slowness/kind.h"
#include "findings/slowness/slow_cpu.h"
#include "findings/slowness/slow_finding.h"
#include "findings/threshold.h"

static double lost_ns(const struct slowness_facts *facts, const struct slow_link *link)
{
	return slow_cpu_find(facts, link).own_ns;
}

/* Ready threads of a process of the tool, on average. */
static double ready_of(const struct slow_tool *tool)
{
	double wall_ns = tool->figures.wall_computing_ns + tool->figures.wall_runnable_ns;

	return wall_ns > 0 ? (slow_cpu_ns(&tool->figures) + tool->figures.runnable_ns) / wall_ns
			   : 0;
}

/* One program with more ready threads than CPUs: the programs of a pipe are no such thing. */
static const struct slow_tool *tool_of(const struct slow_group *group)
{
	const struct slow_tool *tool = slow_tool_of(group, SLOW_FIGURE_AT(runnable_ns));
	const struct slow_host *host = slow_host_of(group->facts, group->most);

	return tool && host && host->cpus > 0 && tool->figures.threads_peak > host->cpus &&
			       ready_of(tool) >= threshold(SLOW_THREADS) * host->cpus
		       ? tool
		       : NULL;
}

/* Fewer threads would do the same work. What they lose by waiting for each other, and by spinning
 * meanwhile, is not recorded. */
static double saves_ns(const struct slow_group *group)
{
	return tool_of(group) && group->lost_ns >= threshold(SLOW_WARN) * group->facts->wall_ns ? -1
												: 0;
}

static int write(const struct slow_group *group, struct slow_words *ret)
{
	const struct slow_tool *tool = tool_of(group);
	const struct slow_host *host = slow_host_of(group->facts, group->most);
	CLEANUP(freep) char *where = slow_where(group, tool);

	ret->confidence = CONFIDENCE_MEDIUM;
	if (!where ||
	    asprintf(&ret->headline, "%.0f busy threads on %g CPUs in %s", ready_of(tool),
		     host->cpus, where) < 0 ||
	    asprintf(&ret->summary,
		     "%.0f threads of %s were ready to run on %g CPUs, on average: each waited for "
		     "most of the time, with others that waited for it.",
		     ready_of(tool), where, host->cpus) < 0 ||
	    asprintf(&ret->advice,
		     "Let it start as many threads as it has CPUs (-t %g, --threads %g, "
		     "OMP_NUM_THREADS=%g).",
		     host->cpus, host->cpus, host->cpus) < 0)
		return -ENOMEM;
	return 0;
}

static void evidence(const struct slow_group *group, struct json *json)
{
	const struct slow_tool *tool = tool_of(group);
	const struct slow_host *host = slow_host_of(group->facts, group->most);

	slow_evidence_text(json, "tool", tool->name);
	slow_evidence_number(json, "threads_ready", ready_of(tool));
	slow_evidence_count(json, "threads_peak", tool->figures.threads_peak);
	slow_evidence_number(json, "host_cpus", host->cpus);
}

const struct slow_kind slow_kind_oversubscribed = {
	.name = "oversubscribed",
	.by_step = true,
	.lost_ns = lost_ns,
	.saves_ns = saves_ns,
	.write = write,
	.evidence = evidence,
};
