/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/process/agent_clock.h"

#include "base/clock.h"
#include "base/log.h"

void agent_clock_start(struct agent_clock *clock)
{
	*clock = (struct agent_clock){ .offset_ns = clock_boot_offset_ns() };
}

int64_t agent_clock_follow(struct agent_clock *clock)
{
	int64_t now_ns = clock_boot_offset_ns(), step_ns = now_ns - clock->offset_ns;

	clock->offset_ns = now_ns;
	if (step_ns < STEP_NS && step_ns > -STEP_NS)
		return 0;
	log_warning("the clock was set by %+.3f s", (double)step_ns / NS_PER_S);
	clock->stepped_ns += step_ns;
	clock->read_at += step_ns;
	return step_ns;
}

int64_t agent_clock_real(const struct agent_clock *clock, uint64_t boot_ns)
{
	return (int64_t)boot_ns + clock->offset_ns;
}

int64_t agent_clock_now(const struct agent_clock *clock)
{
	return agent_clock_real(clock, clock_boot_ns());
}
