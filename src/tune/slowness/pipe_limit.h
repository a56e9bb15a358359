/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which member of a pipe holds up those before it. Pure. */
struct pipe_member {
	bool reads, writes;
	uint64_t pipe_in, pipe_out; /* unique over hosts */
	double life_ns;
	double read_wait_ns, write_wait_ns; /* for the member before it, for the one after it */
};

struct pipe_limit {
	size_t slowest; /* the member that is busy longest */
	size_t held;    /* of those that wait for room in a pipe the one that waits most */
	double busy_ns, next_busy_ns; /* of the slowest, of the next slowest */
	double lost_ns;               /* what the pipe lasts longer than the next slowest is busy */
};

/* Sets ret to the pipes in which a member waits for room, and so for one after it; where the first
 * member is the slowest, its input limits it. Room for `count` / 2. Returns how many; -ENOMEM.
 */
long pipe_limit_find(const struct pipe_member *members, size_t count, struct pipe_limit *ret);
