/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/slowness/pipe_limit.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"

/* One end of a pipe. */
struct end {
	uint64_t pipe;
	size_t member;
};

static int by_pipe(const void *one_, const void *other_)
{
	const struct end *one = one_, *other = other_;

	if (one->pipe != other->pipe)
		return one->pipe < other->pipe ? -1 : 1;
	return (one->member > other->member) - (one->member < other->member);
}

/* The first member of the pipe that one is of. */
static size_t first_of(size_t *chain, size_t member)
{
	while (chain[member] != member) {
		chain[member] = chain[chain[member]];
		member = chain[member];
	}
	return member;
}

static void join(size_t *chain, size_t one, size_t other)
{
	one = first_of(chain, one);
	other = first_of(chain, other);
	if (one < other)
		chain[other] = one;
	else
		chain[one] = other;
}

static double busy_ns(const struct pipe_member *member)
{
	double busy = member->life_ns - member->read_wait_ns - member->write_wait_ns;

	return busy > 0 ? busy : 0;
}

static void take(const struct pipe_member *members, size_t number, struct pipe_limit *limit,
		 bool first)
{
	const struct pipe_member *member = &members[number];
	double busy = busy_ns(member);

	if (first || busy > limit->busy_ns) {
		limit->next_busy_ns = first ? 0 : limit->busy_ns;
		limit->busy_ns = busy;
		limit->slowest = number;
	} else if (busy > limit->next_busy_ns) {
		limit->next_busy_ns = busy;
	}
	if (first || member->write_wait_ns > members[limit->held].write_wait_ns)
		limit->held = number;
}

static int connect(const struct pipe_member *members, size_t count, size_t *chain)
{
	CLEANUP(freep) struct end *ends = calloc(2 * count + 1, sizeof(*ends));
	size_t end_count = 0;

	if (!ends)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		chain[i] = i;
		if (members[i].reads)
			ends[end_count++] = (struct end){ members[i].pipe_in, i };
		if (members[i].writes)
			ends[end_count++] = (struct end){ members[i].pipe_out, i };
	}
	qsort(ends, end_count, sizeof(*ends), by_pipe);
	for (size_t i = 1; i < end_count; i++)
		if (ends[i].pipe == ends[i - 1].pipe)
			join(chain, ends[i].member, ends[i - 1].member);
	return 0;
}

long pipe_limit_find(const struct pipe_member *members, size_t count, struct pipe_limit *ret)
{
	CLEANUP(freep) size_t *chain = calloc(count + 1, sizeof(*chain));
	CLEANUP(freep) struct pipe_limit *limits = calloc(count + 1, sizeof(*limits));
	CLEANUP(freep) size_t *sizes = calloc(count + 1, sizeof(*sizes));
	long found = 0;

	if (!chain || !limits || !sizes || connect(members, count, chain))
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		size_t first = first_of(chain, i);

		take(members, i, &limits[first], sizes[first]++ == 0);
	}
	for (size_t i = 0; i < count; i++)
		if (sizes[i] > 1 && limits[i].slowest != limits[i].held &&
		    members[limits[i].held].write_wait_ns > 0)
			ret[found++] = limits[i];
	for (long i = 0; i < found; i++)
		ret[i].lost_ns = members[ret[i].slowest].life_ns - ret[i].next_busy_ns;
	return found;
}
