/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "findings/slowness/slow_finding.h"
#include "findings/slowness/slow_wait.h"

static double saves_ns(const struct slow_group *group)
{
	return slow_naps_of(group).asks ? 0 : group->lost_ns;
}

static int write(const struct slow_group *group, struct slow_words *ret)
{
	struct slow_naps naps = slow_naps_of(group);
	CLEANUP(freep) char *where = slow_where(group, naps.tool);
	char lost[32], wall[32];

	text_duration((uint64_t)group->lost_ns, lost, sizeof(lost));
	text_duration((uint64_t)group->facts->wall_ns, wall, sizeof(wall));
	ret->confidence = CONFIDENCE_HIGH;
	if (!where || asprintf(&ret->headline, "%s of it asleep by its own will", lost) < 0 ||
	    asprintf(&ret->summary, "It slept for %s of %s in %s, in a timer that it set itself.",
		     lost, wall, where) < 0 ||
	    asprintf(&ret->advice, "Remove the sleep if nothing needs it.") < 0)
		return -ENOMEM;
	return 0;
}

static void evidence(const struct slow_group *group, struct json *json)
{
	struct slow_naps naps = slow_naps_of(group);

	slow_evidence_text(json, "tool", naps.tool ? naps.tool->name : "");
	slow_evidence_ns(json, "sleep_ns", group->lost_ns);
}

const struct slow_kind slow_kind_sleeping = {
	.name = "sleeping",
	.by_step = true,
	.is_ordinary = true,
	.lost_ns = slow_sleep_ns,
	.saves_ns = saves_ns,
	.write = write,
	.evidence = evidence,
};
