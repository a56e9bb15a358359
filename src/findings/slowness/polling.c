/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "findings/slowness/slow_finding.h"
#include "findings/slowness/slow_wait.h"

static double saves_ns(const struct slow_group *group)
{
	return slow_naps_of(group).asks ? group->lost_ns : 0;
}

static int write(const struct slow_group *group, struct slow_words *ret)
{
	struct slow_naps naps = slow_naps_of(group);
	CLEANUP(freep) char *where = slow_where(group, naps.tool);
	char lost[32], wall[32], mean[32];

	text_duration((uint64_t)group->lost_ns, lost, sizeof(lost));
	text_duration((uint64_t)group->facts->wall_ns, wall, sizeof(wall));
	text_duration((uint64_t)naps.mean_ns, mean, sizeof(mean));
	ret->confidence = CONFIDENCE_MEDIUM;
	if (!where || asprintf(&ret->headline, "%s of it asking again and again", lost) < 0 ||
	    asprintf(&ret->summary,
		     "For %s of %s, %s looked again every %s whether it could go on, and slept "
		     "between.",
		     lost, wall, where, mean) < 0 ||
	    asprintf(
		    &ret->advice,
		    "Find out what it waits for: that is what takes the time. Let what ends it wake it "
		    "(wait, inotifywait, a dependency of the engine) instead of asking.") < 0)
		return -ENOMEM;
	return 0;
}

static void evidence(const struct slow_group *group, struct json *json)
{
	struct slow_naps naps = slow_naps_of(group);

	slow_evidence_text(json, "tool", naps.tool ? naps.tool->name : "");
	slow_evidence_ns(json, "sleep_ns", group->lost_ns);
	slow_evidence_count(json, "sleeps_at_most", naps.count);
	slow_evidence_ns(json, "sleep_mean_ns", naps.mean_ns);
}

const struct slow_kind slow_kind_polling = {
	.name = "polling",
	.by_step = true,
	.is_ordinary = true,
	.lost_ns = slow_sleep_ns,
	.saves_ns = saves_ns,
	.write = write,
	.evidence = evidence,
};
