/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/host/host_pauses.h"

#include "sweep/host/host_window.h"

#define USED_CPUS 0.01

bool host_minute_is_used(const struct sweep_host *host, const struct sweep_minute *minute)
{
	return minute->tracked * host->cpus >= USED_CPUS;
}

int64_t host_idle_patience_ns(const struct sweep_input *input, const struct sweep_host *host)
{
	int64_t patience_ns = sweep_limit_ns(input, SWEEP_IDLE_PATIENCE_S), longest = 0;
	int64_t busy_until = host->minute_count > 0 ? host->minutes[0].at : 0;
	double pauses = 0;

	if (host->up_since > busy_until)
		busy_until = host->up_since;
	for (size_t i = 0; i < host->minute_count; i++) {
		const struct sweep_minute *minute = &host->minutes[i];
		int64_t pause = minute->at - busy_until;

		if (minute->at < host->up_since || !host_minute_is_used(host, minute))
			continue;
		pauses += pause >= patience_ns;
		longest = pause > longest ? pause : longest;
		busy_until = minute->at + HOST_MINUTE_NS;
	}
	if (pauses < sweep_limit(input, SWEEP_IDLE_PAUSES) || longest < patience_ns)
		return patience_ns;
	longest = (int64_t)((double)longest * sweep_limit(input, SWEEP_IDLE_FACTOR));
	return longest > patience_ns ? longest : patience_ns;
}
