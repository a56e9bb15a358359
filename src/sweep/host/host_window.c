/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/host/host_window.h"

size_t host_minute_after(const struct sweep_host *host, int64_t at)
{
	size_t low = 0, high = host->minute_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (host->minutes[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int64_t next_minute(int64_t at)
{
	return (at + HOST_MINUTE_NS - 1) / HOST_MINUTE_NS * HOST_MINUTE_NS;
}

static void add(struct host_window *window, const struct sweep_minute *minute, double lasted)
{
	window->cpu += minute->cpu * lasted;
	window->disk_bytes_s += minute->disk_bytes_s * lasted;
	window->net_bytes_s += minute->net_bytes_s * lasted;
	if (minute->cpu > window->cpu_peak)
		window->cpu_peak = minute->cpu;
	if (minute->memory < 0 || window->memory_peak < 0)
		window->memory_peak = -1;
	else if (minute->memory > window->memory_peak)
		window->memory_peak = minute->memory;
}

void host_window_make(const struct sweep_host *host, int64_t since_at, int64_t until_at,
		      struct host_window *ret)
{
	int64_t first_at = next_minute(since_at);
	double lasted = 0, of = (double)(until_at - first_at) / 1e9;

	*ret = (struct host_window){ 0 };
	for (size_t i = host_minute_after(host, first_at);
	     i < host->minute_count && host->minutes[i].at < until_at; i++) {
		double seconds = host_minute_lasted(&host->minutes[i]);

		add(ret, &host->minutes[i], seconds);
		lasted += seconds;
	}
	if (!(lasted > 0 && of > 0)) {
		ret->memory_peak = -1;
		return;
	}
	ret->covered = lasted < of ? lasted / of : 1;
	ret->cpu /= lasted;
	if (ret->cpu > ret->cpu_peak) /* by what was rounded */
		ret->cpu = ret->cpu_peak;
	ret->disk_bytes_s /= lasted;
	ret->net_bytes_s /= lasted;
}
