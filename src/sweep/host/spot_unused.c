/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/text.h"
#include "sweep/host/host_pauses.h"
#include "sweep/host/host_subject.h"
#include "sweep/host/host_window.h"

/* What ran on a host, over the hours of it that are known, and the minutes after them. */
struct work {
	int64_t since_at;
	double used_s, known_s;
};

static void add_minutes(const struct sweep_host *host, int64_t since_at, struct work *work)
{
	for (size_t i = host_minute_after(host, since_at); i < host->minute_count; i++) {
		double lasted = host_minute_lasted(&host->minutes[i]);

		work->known_s += lasted;
		if (host_minute_is_used(host, &host->minutes[i]))
			work->used_s += lasted;
	}
}

static struct work work_of(const struct sweep_host *host)
{
	struct work work = { 0 };
	int64_t until_at = 0;

	for (size_t i = 0; i < host->hour_count; i++) {
		const struct sweep_hour *hour = &host->hours[i];

		work.used_s += hour->used_s > 0 ? hour->used_s : 0;
		work.known_s += hour->known_s > 0 ? hour->known_s : 0;
		until_at = hour->at + HOST_HOUR_NS;
	}
	if (host->hour_count > 0)
		work.since_at = host->hours[0].at;
	else if (host->minute_count > 0)
		work.since_at = host->minutes[0].at;
	add_minutes(host, until_at, &work);
	return work;
}

/* An interruption costs it little: a failed task is repeated, and none runs for long. */
static bool could_be_spot(const struct sweep_input *input, const struct sweep_host *host,
			  const struct work *work)
{
	return host_text_is_known(host->purchase) && strcmp(host->purchase, "on_demand") == 0 &&
	       host->spot_nusd_hour > 0 && host->spot_nusd_hour < host->nusd_hour &&
	       !host->runs_engine && host->tasks_ended > 0 &&
	       host->tasks_restartable >= host->tasks_ended &&
	       host->task_p95_s <= sweep_limit(input, SWEEP_SPOT_TASK_S) &&
	       work->used_s >= sweep_limit(input, SWEEP_SPOT_HOURS) * 3600;
}

static char *write_summary(const struct sweep_host *host, const struct work *work)
{
	CLEANUP(freep) char *words = host_words(host);
	char used[32], task[32];

	text_duration((uint64_t)(work->used_s * 1e9), used, sizeof(used));
	text_duration((uint64_t)(host->task_p95_s * 1e9), task, sizeof(task));
	if (!words)
		return NULL;
	return host_printf("%s is paid on demand and worked for %s: its engine repeats all of its "
			   "%llu tasks if they fail, and 95 %% of them end within %s. A spot "
			   "instance costs %.0f %% less.",
			   words, used, (unsigned long long)host->tasks_ended, task,
			   (1 - (double)host->spot_nusd_hour / (double)host->nusd_hour) * 100);
}

static char *write_evidence(const struct sweep_host *host, const struct work *work)
{
	struct waste_evidence evidence;

	waste_evidence_begin(&evidence);
	waste_evidence_number(&evidence, "used_s", work->used_s);
	waste_evidence_i64(&evidence, "tasks", (int64_t)host->tasks_ended);
	waste_evidence_number(&evidence, "task_p95_s", host->task_p95_s);
	waste_evidence_number(&evidence, "on_demand_usd_hour", (double)host->nusd_hour / 1e9);
	waste_evidence_number(&evidence, "spot_usd_hour", (double)host->spot_nusd_hour / 1e9);
	return waste_evidence_end(&evidence);
}

static int find_on(const struct waste_finder *finder, const struct sweep_input *input,
		   const struct sweep_host *host, struct wastes *ret)
{
	struct work work = work_of(host);
	struct waste waste;

	if (!could_be_spot(input, host, &work))
		return 0;
	waste = host_waste(host);
	waste.since_at = work.since_at;
	waste.nusd_hour = host->nusd_hour - host->spot_nusd_hour;
	waste.wasted_nusd = waste_nusd(waste.nusd_hour, 0, (int64_t)(work.known_s * 1e9));
	waste.confidence = CONFIDENCE_MEDIUM;
	waste.summary = write_summary(host, &work);
	waste.evidence = write_evidence(host, &work);
	waste.advice = host_copy("Rent it as a spot instance. It may be taken away within two "
				 "minutes: what runs then is done again.");
	return waste_add(finder, input, waste, ret);
}

static int find(const struct waste_finder *finder, const struct sweep_input *input,
		struct wastes *ret)
{
	return host_each(finder, input, find_on, ret);
}

extern const struct waste_finder waste_spot_unused;
const struct waste_finder waste_spot_unused = {
	.name = "spot_unused",
	.title = "Spot not used",
	.cheaper = true,
	.find = find,
};
