/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "collect/process/tracker.h"

/*
 * Steps of the wall clock (set by hand, or by NTP's first word). Instants that were told once stay
 * as they are, and ends are as far from them as on the boot-time clock; intervals go on from where
 * the last one ended, on the clock as it is now.
 */

/* As of now: tracker->offset_ns, and where the clock was set by more than STEP_NS (less is a slew),
 * all "sampled up to" of processes and cgroups moved along. Once a second. */
#define STEP_NS 100000000
void step_follow(struct tracker *tracker);
