/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* What the kernel side costs: memory and run time. */
struct probe;

/* Bytes of kernel memory of all maps. */
uint64_t probe_map_bytes(const struct probe *probe);

struct probe_usage {
	uint64_t map_bytes;                   /* as of one of the last twelve calls */
	uint64_t ring_bytes, ring_peak_bytes; /* size; the most that waited since the last call */
	uint64_t programs_ns;                 /* run time so far; the kernel counts it only while
						 kernel.bpf_stats_enabled is 1 */
};

/* A loaded program, by its name in process.bpf.c, with what the kernel counted while
 * kernel.bpf_stats_enabled was 1. */
struct probe_program {
	const char *name;
	uint64_t calls, run_ns;
};
typedef void probe_program_function(void *context, const struct probe_program *program);
/* Calls the function for each loaded program. */
void probe_programs(const struct probe *probe, probe_program_function *function, void *context);
/* Whether the kernel counts run times now; false also where that cannot be read. */
bool probe_programs_counted(void);

void probe_usage(struct probe *probe, struct probe_usage *ret);
