/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "findings/slowness/kind.h"
#include "findings/slowness/slow_finding.h"

static bool is_in(const struct slow_link *link, const struct slow_pipe *pipe)
{
	int64_t middle = pipe->began_at + (pipe->ended_at - pipe->began_at) / 2;

	return pipe->task == link->span.task && !link->span.waits &&
	       link->span.began_at <= middle && middle < link->span.ended_at;
}

/* Without the work of the slowest member the pipe would last as long as the next one is busy. While
 * the slowest waits for its first data, the others work for themselves. */
static double lost_ns(const struct slowness_facts *facts, const struct slow_link *link)
{
	double lost_ns = 0, span_ns = (double)(link->span.ended_at - link->span.began_at);

	for (size_t i = 0; i < facts->pipe_count; i++)
		if (is_in(link, &facts->pipes[i]))
			lost_ns += facts->pipes[i].lost_ns;
	return lost_ns < span_ns ? lost_ns : span_ns;
}

/* The pipe that lost most; the finding has one. */
static const struct slow_pipe *pipe_of(const struct slow_group *group)
{
	const struct slowness_facts *facts = group->facts;
	const struct slow_pipe *most = NULL;

	for (size_t i = 0; i < facts->pipe_count; i++) {
		const struct slow_pipe *pipe = &facts->pipes[i];

		if (is_in(group->most, pipe) && (!most || pipe->lost_ns > most->lost_ns))
			most = pipe;
	}
	return most;
}

static int write(const struct slow_group *group, struct slow_words *ret)
{
	const struct slow_pipe *pipe = pipe_of(group);
	double share = 100 * pipe->waited_ns / pipe->wall_ns;
	char busy[32], next[32];

	text_duration((uint64_t)pipe->busy_ns, busy, sizeof(busy));
	text_duration((uint64_t)pipe->next_busy_ns, next, sizeof(next));
	ret->confidence = CONFIDENCE_HIGH;
	if (asprintf(&ret->headline, "`%s` holds up its pipe", pipe->slowest) < 0 ||
	    asprintf(
		    &ret->summary,
		    "`%s` waits %.0f %% of its time for `%s`, which is busy for %s; the next slowest "
		    "program of the pipe is for %s.",
		    pipe->waits, share, pipe->slowest, busy, next) < 0 ||
	    asprintf(
		    &ret->advice,
		    "Make `%s` faster (more threads, less compression), or let it read a file that "
		    "was written before.",
		    pipe->slowest) < 0)
		return -ENOMEM;
	return 0;
}

static void evidence(const struct slow_group *group, struct json *json)
{
	const struct slow_pipe *pipe = pipe_of(group);

	slow_evidence_text(json, "tool", pipe->slowest);
	slow_evidence_text(json, "held_up", pipe->waits);
	slow_evidence_ns(json, "busy_ns", pipe->busy_ns);
	slow_evidence_ns(json, "next_busy_ns", pipe->next_busy_ns);
	slow_evidence_ns(json, "waited_ns", pipe->waited_ns);
}

const struct slow_kind slow_kind_pipe_limit = {
	.name = "pipe_limit",
	.by_step = true,
	.lost_ns = lost_ns,
	.write = write,
	.evidence = evidence,
};
