/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "cost/sheet.h"

/*
 * Makes a sheet: hosts and runs first, then prices, times up and holds in any order, then
 * sheet_split(). Texts are copied; NULL counts as "". All return 0, or -ENOMEM.
 */

/* The longest time of a sheet: a run in a store of an earlier version may have begun in 1970. */
#define SHEET_MAX_NS ((int64_t)3650 * 86400 * 1000000000)

/* Times that a host was up are one where the gap between them is at most so long: samples come
 * every few seconds. What is up to so long outside of the time of a sheet decides of gaps at its
 * ends. */
#define SHEET_GAP_NS ((int64_t)60 * 1000000000)

/* Of the UTC hours that [since_at, until_at) touches; a longer time than SHEET_MAX_NS is cut at its
 * beginning. NULL: no memory. */
struct sheet *sheet_new(int64_t since_at, int64_t until_at, enum sheet_bucket bucket);

struct sheet_host_facts {
	const char *id, *hostname, *provider, *region, *zone, *instance_type, *instance_id,
		*account_id, *purchase;
	double cpus; /* ≤ 0, or above what Linux knows: unknown */
	uint64_t memory_bytes;
	uint64_t gpus;
	const uint32_t *weight_ppm; /* COST_KINDS of them */
};
int sheet_add_host(struct sheet *sheet, const struct sheet_host_facts *facts);

/* What an hour of a host costs from an instant on. Prices of a host are given by time; the one
 * given last holds from the same instant on. usd_hour ≤ 0, or above 10,000: unknown. */
int sheet_add_price(struct sheet *sheet, size_t host, int64_t since_at, double usd_hour,
		    const char *source);
/* What the bill says of a time, which goes before these. By time. */
int sheet_add_billed(struct sheet *sheet, size_t host, int64_t since_at, int64_t until_at,
		     int64_t nusd_hour, const char *source);

struct sheet_run_facts {
	const char *id, *name, *pipeline, *user, *engine, *cwd, *labels;
};
int sheet_add_run(struct sheet *sheet, const struct sheet_run_facts *facts);

/* When a host was up; times that overlap are joined. */
int sheet_add_up(struct sheet *sheet, size_t host, int64_t since_at, int64_t until_at);

/* What a task held of a host, or what is in no task (task ""), which may have several. The host was
 * up then. */
struct sheet_hold_facts {
	size_t host, run;
	const char *task, *step, *name, *sample, *container, *pod;
	const char *tools; /* lines "NANOSECONDS TAB TOOL": the CPU time of each */
	int64_t since_at, until_at;
	uint64_t cpu_ns, gpu_busy_ns;
	double cpus_requested;                         /* 0: unknown */
	uint64_t memory_bytes, memory_requested_bytes; /* mean; 0: unknown */
	uint64_t gpus;                                 /* held */
	int64_t input_bytes;                           /* < 0: unknown */
};
int sheet_add_hold(struct sheet *sheet, const struct sheet_hold_facts *facts);

/* Computes all costs. -EINVAL: times add up to more than COST_TIME_LIMIT. */
int sheet_split(struct sheet *sheet, enum cost_rule rule);
