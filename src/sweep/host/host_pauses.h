/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "sweep/finder.h"

/* How long a host has to be without tracked work before it is idle: SWEEP_IDLE_PATIENCE_S, or more
 * where it is used in bursts, by its own pauses: where its minutes show SWEEP_IDLE_PAUSES pauses of
 * that length after which it worked again, SWEEP_IDLE_FACTOR × the longest of them. */
int64_t host_idle_patience_ns(const struct sweep_input *input, const struct sweep_host *host);
/* Whether tracked work used at least 1 % of a CPU in the minute. */
bool host_minute_is_used(const struct sweep_host *host, const struct sweep_minute *minute);
