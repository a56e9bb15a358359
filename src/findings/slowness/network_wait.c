/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "findings/slowness/kind.h"
#include "findings/slowness/slow_finding.h"
#include "findings/slowness/slow_wait.h"

/* The peer of which the step moved most; NULL: not known. */
static const struct slow_peer *peer_of(const struct slow_group *group, double *others)
{
	const struct slow_peer *found = NULL;

	*others = 0;
	for (size_t i = 0; i < group->facts->peer_count; i++) {
		const struct slow_peer *peer = &group->facts->peers[i];

		if (!slow_is_of(group, peer->step))
			continue;
		*others += found != NULL;
		found = found ? found : peer;
	}
	return found;
}

static char *peer_text(const struct slow_group *group)
{
	double others;
	const struct slow_peer *peer = peer_of(group, &others);
	char *text = NULL;
	int len;

	if (!peer)
		len = asprintf(&text, "the network (its peer is not recorded)");
	else if (others > 0)
		len = asprintf(&text, "%s and %.0f others", peer->address, others);
	else
		len = asprintf(&text, "%s", peer->address);
	return len < 0 ? NULL : text;
}

static char *figures_text(const struct slow_figures *sum, double ns)
{
	uint64_t connects = (uint64_t)sum->net_connects, resent = (uint64_t)sum->net_retransmits;
	char bytes[32], rate[32], *text = NULL;
	double moved = sum->net_rx_bytes + sum->net_tx_bytes;

	text_bytes((uint64_t)moved, bytes, sizeof(bytes));
	text_bytes(ns > 0 ? (uint64_t)(moved / ns * 1e9) : 0, rate, sizeof(rate));
	if (asprintf(&text,
		     "%s moved (%s a second of waiting), %" PRIu64 " connection%s, %" PRIu64
		     " segment%s sent again",
		     bytes, rate, connects, connects == 1 ? "" : "s", resent,
		     resent == 1 ? "" : "s") < 0)
		return NULL;
	return text;
}

static const struct slow_tool *tool_of(const struct slow_group *group)
{
	static const size_t figures[] = { SLOW_FIGURE_AT(wall_network_ns),
					  SLOW_FIGURE_AT(poll_network_ns),
					  SLOW_FIGURE_AT(net_connects) };
	const struct slow_tool *tool = NULL;

	for (size_t i = 0; !tool && i < sizeof(figures) / sizeof(figures[0]); i++)
		tool = slow_tool_of(group, figures[i]);
	return tool;
}

/* Most of the wait was ended by the network, not by a timeout. */
static bool is_certain(const struct slow_group *group)
{
	double ns = 0;

	for (size_t i = 0; i < group->count; i++)
		ns += group->links[i]->wall.ns[WALL_NETWORK] +
		      slow_poll_ns(group->facts, group->links[i], SLOW_FIGURE_AT(poll_network_ns));
	return ns >= group->lost_ns / 2;
}

static int write(const struct slow_group *group, struct slow_words *ret)
{
	struct slow_figures sum = slow_sum(group);
	CLEANUP(freep) char *where = slow_where(group, tool_of(group));
	CLEANUP(freep) char *figures = figures_text(&sum, group->lost_ns);
	CLEANUP(freep) char *peer = peer_text(group);
	char lost[32], wall[32];

	text_duration((uint64_t)group->lost_ns, lost, sizeof(lost));
	text_duration((uint64_t)group->facts->wall_ns, wall, sizeof(wall));
	ret->confidence = is_certain(group) ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM;
	if (!where || !figures || !peer ||
	    asprintf(&ret->headline, "%s of it waiting for %s", lost, peer) < 0 ||
	    asprintf(&ret->summary, "%s waited %s of %s for %s: %s.", where, lost, wall, peer,
		     figures) < 0 ||
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
	double others;
	const struct slow_peer *peer = peer_of(group, &others);

	if (peer)
		slow_evidence_text(json, "peer", peer->address);
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
	.lost_ns = slow_network_ns,
	.write = write,
	.evidence = evidence,
};
