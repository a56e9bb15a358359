/* SPDX-License-Identifier: Apache-2.0 */
#include "inventory/fetch/retry.h"

#include <errno.h>
#include <sys/random.h>
#include <time.h>

#include "base/clock.h"

uint64_t retry_pause_ms(unsigned tries)
{
	uint64_t pause = tries > 16 ? RETRY_CAP_MS : (uint64_t)RETRY_BASE_MS << (tries - 1);

	return pause < RETRY_CAP_MS ? pause : RETRY_CAP_MS;
}

/* From half of it to all of it. */
static uint64_t with_jitter(uint64_t pause_ms)
{
	uint32_t random = 0;

	if (getrandom(&random, sizeof(random), 0) < 0)
		random = (uint32_t)clock_monotonic_ns();
	return pause_ms / 2 + random % (pause_ms / 2 + 1);
}

bool retry_wait(struct retry *retry, int rc, uint64_t retry_after_s)
{
	uint64_t pause_ms = with_jitter(retry_pause_ms(++retry->tries));
	struct timespec pause;

	if (rc != -EAGAIN && rc != -ETIMEDOUT && rc != -ECONNRESET)
		return false;
	if (retry_after_s * 1000 > pause_ms)
		pause_ms =
			retry_after_s < RETRY_CAP_MS / 1000 ? retry_after_s * 1000 : RETRY_CAP_MS;
	if (retry->tries >= (rc == -EAGAIN ? RETRY_TRIES : RETRY_TRIES_BROKEN) ||
	    clock_monotonic_ns() + pause_ms * NS_PER_MS > retry->until_ns)
		return false;
	pause = (struct timespec){ (time_t)(pause_ms / 1000), (long)(pause_ms % 1000) * 1000000 };
	nanosleep(&pause, NULL);
	return true;
}
