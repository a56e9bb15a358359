/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/*
 * How a test waits: for a condition, never for a time. The deadline is many times what a loaded
 * machine needs, also for a thread of the lowest priority, as that which settles runs; a test that
 * reaches it fails and says what it waited for. Behind <cmocka.h>.
 */
#include <stdint.h>
#include <unistd.h>

#include "base/clock.h"

#define WAIT_S  200
#define WAIT_MS (WAIT_S * 1000) /* for poll() and the like */

/* Does the step again and again until the condition is true. */
#define WAIT_DOING(condition, step, what)                                                         \
	do {                                                                                      \
		uint64_t wait_until_ns = clock_monotonic_ns() + WAIT_S * NS_PER_S;                \
		while (!(condition)) {                                                            \
			if (clock_monotonic_ns() > wait_until_ns)                                 \
				fail_msg("%s:%d: waited %d s for %s", __FILE__, __LINE__, WAIT_S, \
					 what);                                                   \
			step;                                                                     \
		}                                                                                 \
	} while (0)

/* Looks at the condition every 5 ms until it is true. */
#define WAIT_FOR(condition, what) WAIT_DOING(condition, usleep(5000), what)
