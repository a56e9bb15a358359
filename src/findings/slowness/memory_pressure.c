/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "findings/slowness/kind.h"
#include "findings/slowness/slow_finding.h"
#include "findings/slowness/slow_memory.h"
#include "findings/threshold.h"

enum slow_memory slow_memory_of(const struct slowness_facts *facts, const struct slow_link *link)
{
	const struct slow_cgroup *cgroup = slow_cgroup_of(facts, link);
	const struct slow_host *host = slow_host_of(facts, link);

	if (cgroup && cgroup->memory_limit_bytes > 0 &&
	    cgroup->memory_max_events + cgroup->memory_high_events >= threshold(SLOW_AT_LIMIT))
		return MEMORY_SHORT_GROUP;
	if (!host || host->sampled_ns < threshold(SLOW_SAMPLED) * facts->wall_ns ||
	    !(host->io_pressure_ns + host->memory_pressure_ns > 0))
		return MEMORY_NOT_KNOWN;
	return host->memory_pressure_ns >= threshold(SLOW_PRESSURE) * link->wall.ns[WALL_PAGING]
		       ? MEMORY_SHORT_HOST
		       : MEMORY_ENOUGH;
}

/* At its limit, pages that were dropped are read again and dirty ones are written early, and the
 * kernel looks for pages to free in the task's own time. */
static double lost_ns(const struct slowness_facts *facts, const struct slow_link *link)
{
	const struct slow_figures *figures = &slow_task_of(facts, link)->figures;
	double cpu_ns = slow_cpu_ns(figures), lost_ns = link->wall.ns[WALL_PAGING];
	enum slow_memory memory = slow_memory_of(facts, link);

	if (memory != MEMORY_SHORT_GROUP)
		return memory == MEMORY_ENOUGH ? 0 : lost_ns;
	lost_ns += link->wall.ns[WALL_DISK];
	if (cpu_ns > 0)
		lost_ns += link->wall.ns[WALL_COMPUTING] * figures->kernel_ns / cpu_ns;
	return lost_ns;
}

static char *limit_text(const struct slow_group *group)
{
	const struct slow_cgroup *cgroup = slow_cgroup_of(group->facts, group->most);
	char limit[32], *text = NULL;
	int len;

	switch (slow_memory_of(group->facts, group->most)) {
	case MEMORY_SHORT_GROUP:
		len = asprintf(
			&text, "its control group was at its limit of %s %.0f times",
			text_bytes((uint64_t)cgroup->memory_limit_bytes, limit, sizeof(limit)),
			cgroup->memory_max_events + cgroup->memory_high_events);
		return len < 0 ? NULL : text;
	case MEMORY_SHORT_HOST:
		return strdup("the host's memory was short");
	default:
		return strdup("whether the host's memory was short is not recorded");
	}
}

static enum finding_confidence confidence_of(const struct slow_group *group)
{
	switch (slow_memory_of(group->facts, group->most)) {
	case MEMORY_SHORT_GROUP:
		return CONFIDENCE_HIGH;
	case MEMORY_SHORT_HOST:
		return CONFIDENCE_MEDIUM;
	default:
		return CONFIDENCE_LOW;
	}
}

/* Of the step that lost most the program with most of what it lost. */
static const struct slow_tool *tool_of(const struct slow_group *group)
{
	const struct wall *wall = &group->most->wall;
	size_t figure = wall->ns[WALL_PAGING] > wall->ns[WALL_DISK] ? SLOW_FIGURE_AT(wall_paging_ns)
								    : SLOW_FIGURE_AT(wall_disk_ns);
	const struct slow_figures *figures = &slow_task_of(group->facts, group->most)->figures;

	if (figures->kernel_ns > wall->ns[WALL_PAGING] + wall->ns[WALL_DISK])
		figure = SLOW_FIGURE_AT(kernel_ns);
	return slow_most_of(group->facts, group->most, figure);
}

static int write(const struct slow_group *group, struct slow_words *ret)
{
	const struct slow_tool *tool = tool_of(group);
	bool is_limit = slow_memory_of(group->facts, group->most) == MEMORY_SHORT_GROUP;
	CLEANUP(freep) char *where = NULL, *limit = limit_text(group);
	struct slow_figures sum = slow_sum(group);
	char lost[32], wall[32];

	where = slow_where(group, tool);
	text_duration((uint64_t)group->lost_ns, lost, sizeof(lost));
	text_duration((uint64_t)group->facts->wall_ns, wall, sizeof(wall));
	ret->confidence = confidence_of(group);
	if (!where || !limit || asprintf(&ret->headline, "%s of it short of memory", lost) < 0 ||
	    asprintf(
		    &ret->summary,
		    "For %s of %s, %s waited for memory: %s (%.0f pages were read back from storage "
		    "or swap).",
		    lost, wall, where, limit, sum.major_faults) < 0 ||
	    asprintf(
		    &ret->advice, "%s",
		    is_limit
			    ? "Give it a higher memory limit: its data and the files that it reads "
			      "do not fit."
			    : "Run fewer tasks at once on this host, or one with more memory.") < 0)
		return -ENOMEM;
	return 0;
}

static void evidence(const struct slow_group *group, struct json *json)
{
	const struct slow_cgroup *cgroup = slow_cgroup_of(group->facts, group->most);
	struct slow_figures sum = slow_sum(group);

	slow_evidence_count(json, "major_faults", sum.major_faults);
	slow_evidence_ns(json, "paging_ns", sum.paging_ns);
	slow_evidence_ns(json, "kernel_ns", sum.kernel_ns);
	if (slow_memory_of(group->facts, group->most) != MEMORY_SHORT_GROUP)
		return;
	slow_evidence_text(json, "cgroup", cgroup->path);
	slow_evidence_count(json, "limit_bytes", cgroup->memory_limit_bytes);
	slow_evidence_count(json, "peak_bytes", cgroup->memory_peak_bytes);
	slow_evidence_count(json, "memory_max_events", cgroup->memory_max_events);
}

const struct slow_kind slow_kind_memory_pressure = {
	.name = "memory_pressure",
	.lost_ns = lost_ns,
	.write = write,
	.evidence = evidence,
};
