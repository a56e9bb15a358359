/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"
#include "sweep/host/host_pauses.h"
#include "sweep/host/host_rest.h"
#include "sweep/host/host_subject.h"

/* A host that is in use, which is not idle, and hardly busy. No command ends that: work runs there.
 */

static bool is_low(const struct sweep_input *input, const struct host_window *window)
{
	return window->covered >= sweep_limit(input, SWEEP_COVERED) &&
	       window->cpu <= sweep_limit(input, SWEEP_LOW_CPU) &&
	       window->cpu_peak <= sweep_limit(input, SWEEP_LOW_CPU_PEAK) &&
	       window->memory_peak >= 0 &&
	       window->memory_peak <= sweep_limit(input, SWEEP_LOW_MEMORY) &&
	       window->disk_bytes_s <= sweep_limit(input, SWEEP_IDLE_DISK_BYTES_S) &&
	       window->net_bytes_s <= sweep_limit(input, SWEEP_IDLE_NET_BYTES_S);
}

static bool is_minute_low(const struct sweep_input *input, const struct sweep_minute *minute)
{
	return minute->cpu <= sweep_limit(input, SWEEP_LOW_CPU_PEAK) && minute->memory >= 0 &&
	       minute->memory <= sweep_limit(input, SWEEP_LOW_MEMORY);
}

/* The first minute from which on, without a gap, no minute was high and the mean is low; window is
 * of the time from since_at on. */
static int64_t since(const struct sweep_input *input, const struct sweep_host *host,
		     int64_t since_at, const struct host_window *window)
{
	double lasted = sweep_limit(input, SWEEP_LOW_PATIENCE_S) * window->covered;
	double cpu = window->cpu * lasted;
	size_t first = host_minute_after(host, since_at);

	if (first < host->minute_count)
		since_at = host->minutes[first].at;
	for (size_t i = first; i > 0; i--) {
		const struct sweep_minute *minute = &host->minutes[i - 1];
		double seconds = host_minute_lasted(minute);

		cpu += minute->cpu * seconds;
		lasted += seconds;
		if (since_at - minute->at > 2 * HOST_MINUTE_NS || !is_minute_low(input, minute) ||
		    !(cpu <= lasted * sweep_limit(input, SWEEP_LOW_CPU)))
			break;
		since_at = minute->at;
	}
	return since_at > host->up_since ? since_at : host->up_since;
}

static char *write_summary(const struct sweep_input *input, const struct sweep_host *host,
			   int64_t since_at, const struct host_window *window)
{
	CLEANUP(freep) char *words = host_words(host);
	char lasted[32];

	text_duration((uint64_t)(input->now_at - since_at), lasted, sizeof(lasted));
	if (!words)
		return NULL;
	return host_printf("%s is in use and hardly busy for %s: its CPUs for %.1f %% on average "
			   "and %.1f %% in the busiest minute, its memory for at most %.0f %%.",
			   words, lasted, window->cpu * 100, window->cpu_peak * 100,
			   window->memory_peak * 100);
}

static char *write_evidence(const struct host_window *window)
{
	struct waste_evidence evidence;

	waste_evidence_begin(&evidence);
	host_window_evidence(window, &evidence);
	return waste_evidence_end(&evidence);
}

static int find_on(const struct waste_finder *finder, const struct sweep_input *input,
		   const struct sweep_host *host, struct wastes *ret)
{
	int64_t known_until = host_known_until(input, host), gpus_until;
	int64_t from_at = known_until - sweep_limit_ns(input, SWEEP_LOW_PATIENCE_S);
	struct host_window window;
	struct waste waste;

	if (!host_gpus_in_use_until(host, &gpus_until) || gpus_until > from_at ||
	    host->up_since <= 0 || host->up_since > from_at ||
	    known_until - host->used_until >= host_idle_patience_ns(input, host))
		return 0;
	host_window_make(host, from_at, known_until, &window);
	if (!is_low(input, &window))
		return 0;
	waste = host_waste(host);
	waste.since_at = since(input, host, from_at, &window);
	waste.confidence = CONFIDENCE_MEDIUM;
	waste.summary = write_summary(input, host, waste.since_at, &window);
	waste.evidence = write_evidence(&window);
	waste.advice = host_copy("Give its work to a host that is up anyway, or to a smaller one.");
	return waste_add(finder, input, waste, ret);
}

static int find(const struct waste_finder *finder, const struct sweep_input *input,
		struct wastes *ret)
{
	return host_each(finder, input, find_on, ret);
}

extern const struct waste_finder waste_host_low;
const struct waste_finder waste_host_low = {
	.name = "host_low",
	.title = "Host hardly busy",
	.find = find,
};
