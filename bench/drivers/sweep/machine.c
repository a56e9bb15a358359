/* SPDX-License-Identifier: Apache-2.0 */
#include "machine.h"

#include <assert.h>
#include <math.h>

/* A system's own work: each hour something on one core, each day a longer one. */
#define HOURLY_S     20.0
#define DAILY_MINUTE 385 /* 6:25, as cron.daily of Debian */
#define DAILY_LASTS  3
#define SENT_EVERY_S 20 /* an agent sends at least so often */

void machine_load(struct machine *machine, struct load load)
{
	assert(machine->load_count < LOADS);
	load.phase.seed = machine->seed + machine->load_count;
	machine->loads[machine->load_count++] = load;
}

bool machine_is_known(const struct machine *machine, int64_t at)
{
	return at >= machine->booted_at && at < machine->gone_at &&
	       !timeline_holds(&machine->silent, at);
}

/* The start of the last silence that had begun by then. */
static int64_t silent_since(const struct machine *machine, int64_t at)
{
	int64_t since = at;

	for (unsigned i = 0; i < machine->silent.count; i++) {
		const struct phase *one = &machine->silent.phases[i];

		if (one->since <= at && at < one->until && one->since < since)
			since = one->since;
	}
	return since;
}

int64_t machine_seen(const struct machine *machine, int64_t at)
{
	int64_t lag = (int64_t)(random_share(machine->seed, at / MINUTE) * SENT_EVERY_S) * SECOND;
	int64_t seen = at - lag;

	if (seen >= machine->gone_at)
		seen = machine->gone_at;
	seen = silent_since(machine, seen);
	return seen < machine->booted_at ? 0 : seen;
}

static double spread_at(const struct machine *machine, int64_t minute, double spread, unsigned salt)
{
	return 1 + spread * (2 * random_share(machine->seed + 1000 + salt, minute) - 1);
}

/* What its daemons take in the minute. */
static double daemons(const struct machine *machine, int64_t minute)
{
	double cpu = machine->base_cpu * spread_at(machine, minute, 0.5, 900), cores = 0;

	if (minute % 60 == (int64_t)(machine->seed % 60))
		cores += HOURLY_S / 60;
	if (minute % 1440 >= DAILY_MINUTE && minute % 1440 < DAILY_MINUTE + DAILY_LASTS)
		cores += 0.8;
	return cpu + cores / machine->facts.cpus;
}

bool machine_minute(const struct machine *machine, int64_t at, struct sweep_minute *ret)
{
	int64_t minute = at / MINUTE;

	if (at < machine->booted_at || at >= machine->gone_at)
		return false;
	*ret = (struct sweep_minute){
		.at = at,
		.lasted_s = 60,
		.cpu = daemons(machine, minute),
		.memory = machine->base_memory,
		.disk_bytes_s = machine->base_disk_bytes_s * spread_at(machine, minute, 0.9, 901),
		.net_bytes_s = machine->base_net_bytes_s * spread_at(machine, minute, 0.6, 902),
	};
	for (unsigned i = 0; i < machine->load_count; i++) {
		const struct load *load = &machine->loads[i];
		double share = (double)phase_within(&load->phase, at, at + MINUTE) / MINUTE;
		double part = share > 0 ? share * spread_at(machine, minute, load->spread, i) : 0;

		ret->cpu += part * load->cpu;
		ret->tracked += load->tracked ? part * load->cpu : 0;
		ret->memory += share > 0 ? load->memory : 0;
		ret->disk_bytes_s += part * load->disk_bytes_s;
		ret->net_bytes_s += part * load->net_bytes_s;
	}
	ret->cpu = fmin(ret->cpu, 1);
	ret->tracked = fmin(ret->tracked, ret->cpu);
	ret->memory = fmin(ret->memory, 0.97);
	return true;
}

static bool known_minute(const struct machine *machine, int64_t at, struct sweep_minute *ret)
{
	return machine_is_known(machine, at + 30 * SECOND) && machine_minute(machine, at, ret);
}

static double used_s(const struct machine *machine, int64_t since, int64_t until)
{
	int64_t most =
		0; /* loads of one machine seldom overlap: the length of the longest is taken */

	for (unsigned i = 0; i < machine->load_count; i++) {
		int64_t one = machine->loads[i].tracked
				      ? phase_within(&machine->loads[i].phase, since, until)
				      : 0;

		most = one > most ? one : most;
	}
	return (double)most / SECOND;
}

static void add_hour(struct machine *machine, int64_t at)
{
	struct sweep_hour hour = { .at = at, .used_s = used_s(machine, at, at + HOUR) };
	struct sweep_minute one;

	for (int64_t minute = at; minute < at + HOUR; minute += MINUTE) {
		if (!known_minute(machine, minute, &one))
			continue;
		hour.known_s += 60;
		hour.cpu_mean += one.cpu;
		hour.cpu_peak = fmax(hour.cpu_peak, one.cpu);
		hour.tracked_mean += one.tracked;
		hour.tracked_peak = fmax(hour.tracked_peak, one.tracked);
		hour.memory_peak = fmax(hour.memory_peak, one.memory);
		hour.net_bytes += one.net_bytes_s * 60;
	}
	if (hour.known_s <= 0)
		return;
	hour.cpu_mean /= hour.known_s / 60;
	hour.tracked_mean /= hour.known_s / 60;
	machine->hours[machine->hour_count++] = hour;
}

void machine_prepare(struct machine *machine, int64_t since, int64_t until)
{
	int64_t first = since / MINUTE * MINUTE - SWEEP_MINUTES * MINUTE;

	machine->minute_count = machine->hour_count = 0;
	for (int64_t at = first; at < until; at += MINUTE)
		if (known_minute(machine, at, &machine->minutes[machine->minute_count]))
			machine->minute_count++;
	for (int64_t at = since / HOUR * HOUR - SWEEP_HOURS * HOUR; at + HOUR <= until; at += HOUR)
		add_hour(machine, at);
}

static int64_t up_since(const struct machine *machine, int64_t seen_at)
{
	int64_t since = machine->booted_at;

	for (unsigned i = 0; i < machine->silent.count; i++) {
		const struct phase *one = &machine->silent.phases[i];

		if (one->until <= seen_at && one->until - one->since > MINUTE && one->until > since)
			since = one->until;
	}
	return since;
}

static int64_t used_until(const struct machine *machine, int64_t seen_at, int64_t now_at)
{
	int64_t last = 0;

	for (unsigned i = 0; i < machine->load_count; i++) {
		int64_t one = machine->loads[i].tracked
				      ? phase_last(&machine->loads[i].phase, seen_at)
				      : 0;

		last = one > last ? one : last;
	}
	return last > 0 && last == seen_at && machine_is_known(machine, now_at) ? now_at : last;
}

static void show_minutes(struct machine *machine, struct sweep_host *host, int64_t now_at)
{
	int64_t first = now_at / MINUTE * MINUTE - SWEEP_MINUTES * MINUTE;

	host->minutes = machine->shown;
	host->minute_count = 0;
	for (unsigned i = 0; i < machine->minute_count; i++) {
		const struct sweep_minute *one = &machine->minutes[i];

		if (one->at < first || one->at >= host->seen_at)
			continue;
		machine->shown[host->minute_count] = *one;
		if (one->at + MINUTE > host->seen_at)
			machine->shown[host->minute_count].lasted_s =
				(double)(host->seen_at - one->at) / SECOND;
		host->minute_count++;
	}
}

static void show_hours(const struct machine *machine, struct sweep_host *host, int64_t now_at)
{
	host->hours = machine->hours;
	while (host->hour_count < machine->hour_count &&
	       machine->hours[host->hour_count].at + HOUR <= now_at)
		host->hour_count++;
	while (host->hour_count > SWEEP_HOURS) {
		host->hours++;
		host->hour_count--;
	}
}

static void show_gpus(struct machine *machine, struct sweep_host *host)
{
	host->gpus = machine->gpu_facts;
	for (size_t i = 0; i < host->gpu_count; i++) {
		const struct machine_gpu *gpu = &machine->gpus[i];
		struct sweep_gpu *shown = &machine->gpu_facts[i];

		*shown = gpu->facts;
		shown->known = !gpu->unknown_since || host->seen_at < gpu->unknown_since;
		shown->since_at = up_since(machine, host->seen_at);
		shown->busy_until = timeline_last(&gpu->busy, host->seen_at);
	}
}

struct sweep_host machine_at(struct machine *machine, int64_t now_at)
{
	struct sweep_host host = machine->facts;

	host.seen_at = machine_seen(machine, now_at);
	host.up_since = up_since(machine, host.seen_at);
	host.used_until = used_until(machine, host.seen_at, now_at);
	host.job_until = timeline_last(&machine->jobs, host.seen_at);
	show_minutes(machine, &host, now_at);
	show_hours(machine, &host, now_at);
	show_gpus(machine, &host);
	return host;
}
