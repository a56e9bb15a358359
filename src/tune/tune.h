/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "signal/finding.h"

/*
 * What could be asked for, or done, better in a run: pure analysis. The caller fills plain structs
 * from the lake's queries; 0, "" or NULL is "unknown" everywhere.
 */
struct tune_task {
	const char *id, *step, *name;
	bool ended;     /* with a known end; a running task says nothing yet */
	bool succeeded; /* others count for what they used, and get no advice to request less */
	double cpus_requested;
	uint64_t memory_requested_bytes;
	const char *requested_by;   /* as in signal.proto: "tracer run", "cgroup" */
	uint64_t memory_peak_bytes; /* an upper bound */
	uint64_t cpu_ns, wall_ns;
	double host_cpus; /* of the host it ran on */
	uint64_t host_memory_bytes;
	double host_usd_hour;
};

struct tune_run {
	const char *engine;            /* "snakemake", "tracer run", …: advice is in its words */
	const struct tune_task *tasks; /* any order */
	size_t task_count;
};

/* Appends the findings, by kind, then by step in the order of first appearance. -ENOMEM, -ENOSPC
 * (findings_add). The table of finders is in tune.c. */
int tune_find(const struct tune_run *run, struct findings *ret);
