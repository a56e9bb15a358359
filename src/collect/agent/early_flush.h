/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"

/* Programs that begin are sent before the flush interval is over, if none was sent within it: who
 * watches a run sees the next step begin. Where programs begin all the time it changes nothing. */
struct early_flush {
	uint64_t images;  /* execs when one was sent the last time */
	uint64_t sent_ns; /* when that was */
};

#define EARLY_FLUSH_WAIT_NS (100 * NS_PER_MS) /* for what begins at the same time */

/* images: execs so far. */
bool early_flush_is_due(const struct early_flush *early, uint64_t images, uint64_t now_ns,
			uint64_t interval_ns);
/* Everything was sent. */
void early_flush_sent(struct early_flush *early, uint64_t images, uint64_t now_ns);
