/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "findings/slowness/kind.h"
#include "findings/slowness/slow_cpu.h"
#include "findings/slowness/slow_finding.h"
#include "findings/threshold.h"

static double lost_ns(const struct slowness_facts *facts, const struct slow_link *link)
{
	return slow_cpu_find(facts, link).others_ns;
}

/* A few percents are ordinary: what starts, what the host itself does. */
static double saves_ns(const struct slow_group *group)
{
	const struct slow_host *host = slow_host_of(group->facts, group->most);
	bool busy = host && slow_cpu_others(host) >= threshold(SLOW_OTHERS);

	return busy && group->lost_ns >= threshold(SLOW_CONTENTION) * group->facts->wall_ns
		       ? group->lost_ns
		       : 0;
}

/* Who used most, beside the run: runs and control groups of untracked work. */
static const struct slow_other *first_other(const struct slow_group *group)
{
	const struct slowness_facts *facts = group->facts;
	size_t host = slow_task_of(facts, group->most)->host;

	for (size_t i = 0; i < facts->other_count; i++)
		if (facts->others[i].host == host)
			return &facts->others[i];
	return NULL;
}

static char *name_other(const struct slow_other *other, const struct slow_host *host)
{
	char *text = NULL;
	int len;

	if (other)
		len = asprintf(&text, "%s %s used %.1f of them", other->is_run ? "run" : "cgroup",
			       other->name, other->cpu_ns / host->sampled_ns);
	else
		len = asprintf(&text, "which they were is not recorded");
	return len < 0 ? NULL : text;
}

static int write(const struct slow_group *group, struct slow_words *ret)
{
	const struct slow_host *host = slow_host_of(group->facts, group->most);
	const struct slow_other *other = first_other(group);
	CLEANUP(freep) char *who = name_other(other, host);
	char lost[32], wall[32];

	text_duration((uint64_t)group->lost_ns, lost, sizeof(lost));
	text_duration((uint64_t)group->facts->wall_ns, wall, sizeof(wall));
	ret->confidence = other ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM;
	if (!who || asprintf(&ret->headline, "%s of it lost to other work on the host", lost) < 0 ||
	    asprintf(&ret->summary,
		     "Other work on host %s used %.1f of its %g CPUs while it ran (%s): that made "
		     "it %s of %s longer.",
		     host->name, slow_cpu_others(host), host->cpus, who, lost, wall) < 0 ||
	    asprintf(&ret->advice,
		     "Run it when the other work has ended, on another host, or give each its own "
		     "CPUs.") < 0)
		return -ENOMEM;
	return 0;
}

static void evidence(const struct slow_group *group, struct json *json)
{
	const struct slow_host *host = slow_host_of(group->facts, group->most);
	const struct slow_other *other = first_other(group);
	struct slow_cpu cpu = slow_cpu_find(group->facts, group->most);

	slow_evidence_text(json, "host", host->name);
	slow_evidence_number(json, "host_cpus", host->cpus);
	slow_evidence_number(json, "cpus_of_others", slow_cpu_others(host));
	slow_evidence_number(json, "cpus_had", cpu.got);
	slow_evidence_number(json, "cpus_ready_for", cpu.ready);
	if (other) {
		slow_evidence_text(json, other->is_run ? "other_run" : "other_cgroup", other->name);
		slow_evidence_ns(json, "other_cpu_ns", other->cpu_ns);
	}
}

const struct slow_kind slow_kind_cpu_contention = {
	.name = "cpu_contention",
	.lost_ns = lost_ns,
	.saves_ns = saves_ns,
	.write = write,
	.evidence = evidence,
};
