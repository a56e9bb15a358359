/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "findings/slowness/kind.h"
#include "findings/slowness/slow_cpu.h"
#include "findings/slowness/slow_finding.h"

static double lost_ns(const struct slowness_facts *facts, const struct slow_link *link)
{
	return slow_cpu_find(facts, link).limit_ns;
}

/* The limit where it is recorded; else that there is one follows from the CPUs that were free. */
static char *limit_text(const struct slow_group *group)
{
	const struct slow_cgroup *cgroup = slow_cgroup_of(group->facts, group->most);
	const struct slow_host *host = slow_host_of(group->facts, group->most);
	char *text = NULL;
	int len;

	if (cgroup && cgroup->cpu_limit > 0 && !(cgroup->periods > 0))
		len = asprintf(&text,
			       "its control group may use %.3g CPUs; how often it was throttled is "
			       "not recorded",
			       cgroup->cpu_limit);
	else if (cgroup && cgroup->cpu_limit > 0)
		len = asprintf(
			&text,
			"its control group may use %.3g CPUs, and was throttled in %.0f of %.0f "
			"periods",
			cgroup->cpu_limit, cgroup->throttled_periods, cgroup->periods);
	else
		len = asprintf(
			&text,
			"its threads were held back together while %.1f CPUs of the host were "
			"free, as a control group's limit does",
			host ? slow_cpu_idle(host) : 0);
	return len < 0 ? NULL : text;
}

static int write(const struct slow_group *group, struct slow_words *ret)
{
	const struct slow_cgroup *cgroup = slow_cgroup_of(group->facts, group->most);
	struct slow_cpu cpu = slow_cpu_find(group->facts, group->most);
	CLEANUP(freep) char *limit = limit_text(group);
	char lost[32], wall[32];

	text_duration((uint64_t)group->lost_ns, lost, sizeof(lost));
	text_duration((uint64_t)group->facts->wall_ns, wall, sizeof(wall));
	ret->confidence =
		cgroup && cgroup->throttled_periods > 0 ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM;
	if (!limit || asprintf(&ret->headline, "%s of it held back by a CPU limit", lost) < 0 ||
	    asprintf(
		    &ret->summary,
		    "It was ready to use %.1f CPUs and got %.2f: %s. That made it %s of %s longer.",
		    cpu.ready, cpu.got, limit, lost, wall) < 0 ||
	    asprintf(&ret->advice,
		     "Raise the CPU limit of its control group (--cpus of the container, cpu.max, "
		     "CPUQuota=) to %.0f CPUs or more, or remove it.",
		     cpu.ready > 1 ? cpu.ready : 1) < 0)
		return -ENOMEM;
	return 0;
}

static void evidence(const struct slow_group *group, struct json *json)
{
	const struct slow_cgroup *cgroup = slow_cgroup_of(group->facts, group->most);
	struct slow_cpu cpu = slow_cpu_find(group->facts, group->most);

	slow_evidence_number(json, "cpus_ready_for", cpu.ready);
	slow_evidence_number(json, "cpus_had", cpu.got);
	if (!cgroup || !(cgroup->cpu_limit > 0))
		return;
	slow_evidence_text(json, "cgroup", cgroup->path);
	slow_evidence_number(json, "cpu_limit", cgroup->cpu_limit);
	slow_evidence_count(json, "periods", cgroup->periods);
	slow_evidence_count(json, "throttled_periods", cgroup->throttled_periods);
	slow_evidence_ns(json, "throttled_ns", cgroup->throttled_ns);
}

const struct slow_kind slow_kind_cpu_limit = {
	.name = "cpu_limit",
	.lost_ns = lost_ns,
	.write = write,
	.evidence = evidence,
};
