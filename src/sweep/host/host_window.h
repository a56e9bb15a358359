/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "sweep/sweep_host.h"

/* What a host did between two instants, by the minutes (UTC) that begin between them: means are
 * over the time that samples cover. The minute in which since_at lies is left out, because what
 * came before since_at is part of it. */
struct host_window {
	double covered;       /* of the time from the first whole minute to until_at: 0 to 1 */
	double cpu, cpu_peak; /* of all CPUs; peak: of a minute */
	double memory_peak;   /* of the memory; < 0: not known of each minute */
	double disk_bytes_s, net_bytes_s;
};

/* until_at is at most the last sample: what comes behind it is not known. */
void host_window_make(const struct sweep_host *host, int64_t since_at, int64_t until_at,
		      struct host_window *ret);

/* The index of the first minute that begins at or after an instant; minute_count: there is none. */
size_t host_minute_after(const struct sweep_host *host, int64_t at);

#define HOST_MINUTE_NS ((int64_t)60 * 1000 * 1000 * 1000)
#define HOST_HOUR_NS   (60 * HOST_MINUTE_NS)
/* The seconds of a minute that samples cover, also where a figure is impossible. */
static inline double host_minute_lasted(const struct sweep_minute *minute)
{
	if (!(minute->lasted_s > 0))
		return 0;
	return minute->lasted_s < 60 ? minute->lasted_s : 60;
}
