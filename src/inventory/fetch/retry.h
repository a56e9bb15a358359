/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* When a request is tried again: after a pause that doubles each time, of which a random part is
 * waited, so that many clients do not come back together (AWS, "Exponential backoff and jitter").
 */
#define RETRY_TRIES        6
#define RETRY_TRIES_BROKEN 3 /* where a connection fails, or nothing comes */
#define RETRY_BASE_MS      400
#define RETRY_CAP_MS       20000

struct retry {
	unsigned tries;
	uint64_t until_ns; /* by the monotonic clock: not later */
};

/* Whether a failed request may succeed later: it waits then. retry_after_s: what the server asks
 * for; 0: nothing. */
bool retry_wait(struct retry *retry, int rc, uint64_t retry_after_s);
/* The longest pause before try number `tries` (from 1), in ms. */
uint64_t retry_pause_ms(unsigned tries);
