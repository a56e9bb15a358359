/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/input.h"

/* How long a host was up, and how long tracked work used it. */
struct host_use {
	uint64_t up_ns, tracked_ns, idle_ns; /* up = tracked + idle */
	uint64_t longest_idle_ns;
	double idle_usd; /* < 0: unknown */
};

/* -ENOMEM. */
int host_use_make(const struct finding_host *host, struct host_use *ret);
