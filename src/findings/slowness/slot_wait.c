/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>

#include "base/text.h"
#include "findings/slowness/kind.h"
#include "findings/slowness/slow_finding.h"

static double lost_ns(const struct slowness_facts *facts, const struct slow_link *link)
{
	(void)facts;
	return link->span.waits && link->full ? (double)(link->span.ended_at - link->span.began_at)
					      : 0;
}

/* Others would then be waited for: what is left is found by scheduling all tasks again. */
static double saves_ns(const struct slow_group *group)
{
	const struct slot_plan *plan = &group->facts->plan;

	return plan->advised > 0 ? plan->saves_ns : 0;
}

static int write(const struct slow_group *group, struct slow_words *ret)
{
	const struct slowness_facts *facts = group->facts;
	const struct slow_host *host = slow_host_of(facts, group->most);
	double cpus = host ? host->cpus : 0;
	char waited[32], wall[32], saves[32];

	text_duration((uint64_t)group->lost_ns, waited, sizeof(waited));
	text_duration((uint64_t)facts->wall_ns, wall, sizeof(wall));
	text_duration((uint64_t)group->saves_ns, saves, sizeof(saves));
	ret->confidence = CONFIDENCE_MEDIUM;
	if (asprintf(&ret->headline, "%s of it waiting for a free core", waited) < 0 ||
	    asprintf(
		    &ret->summary,
		    "The critical path waited %s of %s for a free core: %g %s in use at once. With %g "
		    "it would take about %s less.",
		    waited, wall, facts->slots, facts->slots == 1 ? "was" : "were",
		    facts->plan.advised, saves) < 0)
		return -ENOMEM;
	return asprintf(
		       &ret->advice,
		       cpus > 0 && cpus < facts->plan.advised
			       ? "Let its engine use %g cores (--cores, -j, cpus of its executor), on a host "
				 "with as many CPUs: this one has %g."
			       : "Let its engine use %g cores (--cores, -j, cpus of its executor).",
		       facts->plan.advised, cpus) < 0
		       ? -ENOMEM
		       : 0;
}

static void evidence(const struct slow_group *group, struct json *json)
{
	const struct slow_host *host = slow_host_of(group->facts, group->most);

	slow_evidence_ns(json, "waited_ns", group->lost_ns);
	slow_evidence_number(json, "slots", group->facts->slots);
	slow_evidence_number(json, "slots_advised", group->facts->plan.advised);
	if (host)
		slow_evidence_number(json, "host_cpus", host->cpus);
}

const struct slow_kind slow_kind_slot_wait = {
	.name = "slot_wait",
	.lost_ns = lost_ns,
	.saves_ns = saves_ns,
	.write = write,
	.evidence = evidence,
};
