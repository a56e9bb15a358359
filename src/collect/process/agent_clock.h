/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

/*
 * The agent's clock. Instants of the kernel are on the boot-time clock, those of records on the
 * wall clock, which may be set (by hand, or by the first answer of NTP). What was sent once stays
 * as it is, and ends are as far from it as on the boot-time clock; intervals continue where the
 * last one ended, on the clock as it is now.
 */
struct agent_clock {
	int64_t offset_ns;  /* wall clock = boot-time clock + offset, as of the last second */
	int64_t stepped_ns; /* by how much the wall clock was set since the start, in all */
	int64_t read_at;    /* wall clock: the last reading of all live processes */
	uint32_t tick;      /* readings so far */
};

#define STEP_NS 100000000 /* a change of the offset by less is a slew */

void agent_clock_start(struct agent_clock *clock);
/* Follows the wall clock, once a second. Returns by how much it was set since, 0: not. All instants
 * up to which something was sampled must be moved by that. */
int64_t agent_clock_follow(struct agent_clock *clock);
/* The wall-clock instant of a boot-time one, and of now, by the clock as of the last second. */
int64_t agent_clock_real(const struct agent_clock *clock, uint64_t boot_ns);
int64_t agent_clock_now(const struct agent_clock *clock);
