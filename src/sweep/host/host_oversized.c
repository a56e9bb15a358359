/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"
#include "sweep/host/host_rest.h"
#include "sweep/host/host_subject.h"

/* What a host's work needed, over the hours in which it was used. */
struct need {
	size_t used, covered;         /* hours */
	double cpu_peak, memory_peak; /* of all hours that are known, used or not */
	double known_s;
	bool memory_known;
};

/* The most of its CPUs that work took in a minute of the hour. A system's own short jobs are none;
 * where more than daemons take was not tracked, it counts. */
static double cpu_peak_of(const struct sweep_input *input, const struct sweep_host *host,
			  const struct sweep_hour *hour)
{
	double untracked = hour->cpu_mean - hour->tracked_mean;

	return untracked <= host_rest_cpu(input, host)
		       ? hour->tracked_peak + (untracked > 0 ? untracked : 0)
		       : hour->cpu_peak;
}

static struct need need_of(const struct sweep_input *input, const struct sweep_host *host)
{
	struct need need = { .memory_known = true };

	for (size_t i = 0; i < host->hour_count; i++) {
		const struct sweep_hour *hour = &host->hours[i];
		double cpu_peak = cpu_peak_of(input, host, hour);
		bool used = hour->used_s > 0;

		need.used += used;
		need.covered += used && hour->known_s >= 3600 * sweep_limit(input, SWEEP_COVERED);
		need.memory_known &= hour->memory_peak >= 0;
		need.known_s += hour->known_s > 0 ? hour->known_s : 0;
		if (cpu_peak > need.cpu_peak)
			need.cpu_peak = cpu_peak;
		if (hour->memory_peak > need.memory_peak)
			need.memory_peak = hour->memory_peak;
	}
	return need;
}

static bool is_low(const struct sweep_input *input, const struct need *need)
{
	double share = sweep_limit(input, SWEEP_SIZE_SHARE);

	return need->covered > 0 && (double)need->covered >= sweep_limit(input, SWEEP_SIZE_HOURS) &&
	       (double)need->covered >= (double)need->used * sweep_limit(input, SWEEP_COVERED) &&
	       need->memory_known && need->cpu_peak <= share && need->memory_peak <= share;
}

/* Where the provider rents no smaller machine that holds what was needed, nothing is too large.
 * Machines on premises have no smaller type, and are reported without a price. */
static bool is_smaller_known(const struct sweep_host *host, const struct need *need)
{
	if (!host_text_is_known(host->provider))
		return true;
	return host_text_is_known(host->smaller_type) &&
	       host->smaller_cpus >= need->cpu_peak * host->cpus &&
	       (double)host->smaller_memory_bytes >=
		       need->memory_peak * (double)host->memory_bytes &&
	       (host->smaller_nusd_hour <= 0 || host->nusd_hour < 0 ||
		host->smaller_nusd_hour < host->nusd_hour);
}

static int64_t saving(const struct sweep_host *host)
{
	if (!host_text_is_known(host->smaller_type) || host->smaller_nusd_hour <= 0 ||
	    host->nusd_hour < 0)
		return -1;
	return host->nusd_hour - host->smaller_nusd_hour;
}

static char *write_summary(const struct sweep_host *host, const struct need *need)
{
	CLEANUP(freep) char *words = host_words(host), *instead = NULL;
	char size[32];

	text_bytes(host->smaller_memory_bytes, size, sizeof(size));
	if (host_text_is_known(host->smaller_type))
		instead = host_printf("%s (%.0f CPUs, %s) holds that.", host->smaller_type,
				      host->smaller_cpus, size);
	else
		instead = host_copy("Twice the work would fit.");
	if (!words || !instead)
		return NULL;
	return host_printf("In %zu hours with work %s needed at most %.0f %% of its CPUs and "
			   "%.0f %% of its memory. %s",
			   need->used, words, need->cpu_peak * 100, need->memory_peak * 100,
			   instead);
}

static char *write_evidence(const struct sweep_host *host, const struct need *need)
{
	struct waste_evidence evidence;

	waste_evidence_begin(&evidence);
	waste_evidence_i64(&evidence, "hours_used", (int64_t)need->used);
	waste_evidence_number(&evidence, "cpu_peak_share", need->cpu_peak);
	waste_evidence_number(&evidence, "memory_peak_share", need->memory_peak);
	if (host_text_is_known(host->smaller_type)) {
		waste_evidence_text(&evidence, "smaller_type", host->smaller_type);
		waste_evidence_number(&evidence, "smaller_cpus", host->smaller_cpus);
		waste_evidence_i64(&evidence, "smaller_memory_bytes",
				   (int64_t)host->smaller_memory_bytes);
	}
	return waste_evidence_end(&evidence);
}

static int find_on(const struct waste_finder *finder, const struct sweep_input *input,
		   const struct sweep_host *host, struct wastes *ret)
{
	struct need need = need_of(input, host);
	struct waste waste;

	if (!is_low(input, &need) || !is_smaller_known(host, &need))
		return 0;
	waste = host_waste(host);
	waste.since_at = host->hours[0].at;
	waste.nusd_hour = saving(host);
	waste.wasted_nusd = waste_nusd(waste.nusd_hour, 0, (int64_t)(need.known_s * 1e9));
	waste.confidence = CONFIDENCE_MEDIUM;
	waste.summary = write_summary(host, &need);
	waste.evidence = write_evidence(host, &need);
	waste.advice =
		host_text_is_known(host->smaller_type)
			? host_printf("Rent %s instead.", host->smaller_type)
			: host_copy("Give it more work, so that another host is not needed.");
	return waste_add(finder, input, waste, ret);
}

static int find(const struct waste_finder *finder, const struct sweep_input *input,
		struct wastes *ret)
{
	return host_each(finder, input, find_on, ret);
}

extern const struct waste_finder waste_host_oversized;
const struct waste_finder waste_host_oversized = {
	.name = "host_oversized",
	.title = "Host larger than its work",
	.cheaper = true,
	.find = find,
};
