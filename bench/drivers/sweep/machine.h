/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "sweep/sweep_host.h"
#include "timeline.h"

/*
 * A host of a story: what keeps it busy, minute by minute, for as long as one asks; and what an
 * agent would have reported of it until an instant. Each figure follows from the seed.
 */
struct load {
	struct phase phase;
	bool tracked;
	double cpu, memory; /* of the host, 0 to 1 */
	double disk_bytes_s, net_bytes_s;
	double spread; /* from minute to minute: 0.2 is 20 % more or less */
};

#define LOADS 24
#define GPUS  8
/* Minutes and hours that are kept: those of the last days before the first sweep, and until the
 * last one. */
#define KEPT_MINUTES (SWEEP_MINUTES + 8 * 60)
#define KEPT_HOURS   (SWEEP_HOURS + 10)

struct machine_gpu {
	struct sweep_gpu facts;
	struct timeline busy;
	int64_t unknown_since; /* the driver reports nothing from then on; 0: it always does */
};

struct machine {
	struct sweep_host facts;
	uint64_t seed;
	struct load loads[LOADS];
	unsigned load_count;
	struct timeline jobs, silent; /* silent: its agent reports nothing */
	int64_t booted_at, gone_at;
	double base_cpu, base_memory, base_disk_bytes_s, base_net_bytes_s; /* its daemons */
	struct machine_gpu gpus[GPUS];

	/* Made of these by machine_prepare and machine_at. */
	struct sweep_minute minutes[KEPT_MINUTES], shown[SWEEP_MINUTES + 1];
	unsigned minute_count;
	struct sweep_hour hours[KEPT_HOURS];
	unsigned hour_count;
	struct sweep_gpu gpu_facts[GPUS];
};

void machine_load(struct machine *machine, struct load load);
/* Whether its agent reports at this instant. */
bool machine_is_known(const struct machine *machine, int64_t at);
/* The last instant up to `at` of which its agent reported. */
int64_t machine_seen(const struct machine *machine, int64_t at);
/* What happens in the minute that begins at `at`; false: it is off. */
bool machine_minute(const struct machine *machine, int64_t at, struct sweep_minute *ret);
/* Fills minutes and hours: from days before `since` to `until`. */
void machine_prepare(struct machine *machine, int64_t since, int64_t until);
/* What is known at the instant `now_at`: pointers are good until the next call. */
struct sweep_host machine_at(struct machine *machine, int64_t now_at);
