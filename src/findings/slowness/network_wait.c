/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "findings/slowness/kind.h"
#include "findings/slowness/slow_finding.h"
#include "findings/slowness/slow_wait.h"

static double lost_ns(const struct slowness_facts *facts, const struct slow_link *link)
{
	return link->wall.ns[WALL_NETWORK] +
	       slow_poll_ns(facts, link, SLOW_FIGURE_AT(poll_network_ns));
}

static char *figures_text(const struct slow_figures *sum, double ns)
{
	char bytes[32], rate[32], *text = NULL;
	double moved = sum->net_rx_bytes + sum->net_tx_bytes;

	text_bytes((uint64_t)moved, bytes, sizeof(bytes));
	text_bytes(ns > 0 ? (uint64_t)(moved / ns * 1e9) : 0, rate, sizeof(rate));
	if (asprintf(
		    &text,
		    "%s moved (%s a second of waiting), %.0f connections, %.0f segments sent again",
		    bytes, rate, sum->net_connects, sum->net_retransmits) < 0)
		return NULL;
	return text;
}

static int write(const struct slow_group *group, struct slow_words *ret)
{
	const struct slow_tool *tool = slow_tool_of(group, SLOW_FIGURE_AT(wall_network_ns));
	struct slow_figures sum = slow_sum(group);
	CLEANUP(freep) char *where = NULL, *figures = figures_text(&sum, group->lost_ns);
	char lost[32], wall[32];

	tool = tool ? tool : slow_tool_of(group, SLOW_FIGURE_AT(poll_network_ns));
	where = slow_where(group, tool);
	text_duration((uint64_t)group->lost_ns, lost, sizeof(lost));
	text_duration((uint64_t)group->facts->wall_ns, wall, sizeof(wall));
	ret->confidence = CONFIDENCE_HIGH;
	if (!where || !figures ||
	    asprintf(&ret->headline, "%s of it waiting for the network", lost) < 0 ||
	    asprintf(
		    &ret->summary,
		    "%s waited %s of %s for the network or who answers there: %s. Which peer it was is "
		    "not recorded.",
		    where, lost, wall, figures) < 0 ||
	    asprintf(
		    &ret->advice,
		    "Fetch the data before the run, or from nearer by; where many small requests are "
		    "made one after the other, make several at once.") < 0)
		return -ENOMEM;
	return 0;
}

static void evidence(const struct slow_group *group, struct json *json)
{
	struct slow_figures sum = slow_sum(group);

	slow_evidence_count(json, "rx_bytes", sum.net_rx_bytes);
	slow_evidence_count(json, "tx_bytes", sum.net_tx_bytes);
	slow_evidence_count(json, "connects", sum.net_connects);
	slow_evidence_ns(json, "connect_ns", sum.net_connect_ns);
	slow_evidence_count(json, "connect_failures", sum.net_connect_failures);
	slow_evidence_count(json, "retransmits", sum.net_retransmits);
	slow_evidence_count(json, "resets", sum.net_resets);
}

const struct slow_kind slow_kind_network_wait = {
	.name = "network_wait",
	.by_step = true,
	.lost_ns = lost_ns,
	.write = write,
	.evidence = evidence,
};
