/* SPDX-License-Identifier: Apache-2.0 */
#include "rules.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW_DAYS 14
#define LOOK_DAYS   40
#define BINS        200 /* of CPU, 0.5 % each */

/* A day as monitoring keeps it: means of 5 minutes. */
struct day {
	unsigned minutes, quiet_cpu, quiet_net;
	double cpu, peak, net_bytes;
	unsigned bins[BINS], parts;
};

static void add_minute(struct day *day, const struct sweep_minute *minute, double cpus)
{
	day->minutes++;
	day->cpu += minute->cpu;
	day->net_bytes += minute->net_bytes_s * 60;
	day->quiet_cpu += minute->cpu * cpus < 0.03;
	day->quiet_net += minute->net_bytes_s < 3000;
}

static struct day day_of(const struct machine *machine, int64_t since)
{
	struct day day = { 0 };

	for (int64_t at = since; at < since + DAY; at += 5 * MINUTE) {
		struct sweep_minute minute;
		double sum = 0;
		unsigned known = 0;

		/* The provider's monitoring needs no agent. */
		for (int64_t one = at; one < at + 5 * MINUTE; one += MINUTE) {
			if (!machine_minute(machine, one, &minute))
				continue;
			add_minute(&day, &minute, machine->facts.cpus);
			sum += minute.cpu;
			known++;
		}
		if (known == 0)
			continue;
		day.peak = fmax(day.peak, sum / known);
		day.bins[(unsigned)fmin(sum / known * BINS, BINS - 1)]++;
		day.parts++;
	}
	return day;
}

/* Of several days, the CPU use that 99.5 % of the parts stay below. */
static double cpu_p995(const struct day *days)
{
	unsigned parts = 0, above = 0;

	for (int i = 0; i < WINDOW_DAYS; i++)
		parts += days[i].parts;
	for (int bin = BINS - 1; bin >= 0; bin--) {
		for (int i = 0; i < WINDOW_DAYS; i++)
			above += days[i].bins[bin];
		if ((double)above > 0.005 * parts)
			return (bin + 1.0) / BINS;
	}
	return 0;
}

static bool low_days(const struct day *days, double net_most)
{
	unsigned low = 0;

	for (int i = 0; i < WINDOW_DAYS; i++)
		low += days[i].minutes > 0 && days[i].cpu <= 0.1 * days[i].minutes &&
		       days[i].net_bytes <= net_most;
	return low >= 4;
}

static bool holds(enum rule rule, const struct day *days)
{
	unsigned minutes = 0, quiet_cpu = 0, quiet_net = 0;
	double peak = 0, net = 0;

	for (int i = 0; i < WINDOW_DAYS; i++) {
		minutes += days[i].minutes;
		quiet_cpu += days[i].quiet_cpu;
		quiet_net += days[i].quiet_net;
		peak = fmax(peak, days[i].peak);
		net = fmax(net, days[i].net_bytes);
	}
	if (minutes == 0)
		return false;
	switch (rule) {
	case RULE_TRUSTED_ADVISOR:
		return low_days(days, 5e6);
	case RULE_TRUSTED_ADVISOR_CPU:
		return low_days(days, INFINITY);
	case RULE_OPTIMIZER_IDLE:
		return minutes >= (WINDOW_DAYS - 1) * 1440 && peak < 0.05 && net < 5e6;
	case RULE_OPTIMIZER_SIZE:
		return minutes >= 30 * 60 && cpu_p995(days) * 1.2 <= 0.5;
	case RULE_GCP_IDLE:
		return minutes >= 5 * 1440 && quiet_cpu >= 0.97 * minutes &&
		       quiet_net >= 0.95 * minutes;
	default:
		return false;
	}
}

void rules_judge(const struct machine *machine, int64_t since, int64_t ret_found_at[RULES])
{
	struct day *days = calloc(WINDOW_DAYS + LOOK_DAYS, sizeof(*days));
	int64_t first = since / DAY * DAY - (WINDOW_DAYS - 1) * DAY;

	memset(ret_found_at, 0, RULES * sizeof(*ret_found_at));
	for (int i = 0; days && i < WINDOW_DAYS + LOOK_DAYS; i++) {
		days[i] = day_of(machine, first + i * DAY);
		for (int rule = 0; i >= WINDOW_DAYS - 1 && rule < RULES; rule++)
			if (!ret_found_at[rule] && first + (i + 1) * DAY > since &&
			    holds((enum rule)rule, days + i - (WINDOW_DAYS - 1)))
				ret_found_at[rule] = first + (i + 1) * DAY;
	}
	free(days);
}
