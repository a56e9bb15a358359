#pragma once
#include <stdbool.h>
#include <stdint.h>

/* What the kernel side takes. */
struct probe;

/* Bytes of kernel memory of all maps. */
uint64_t probe_map_bytes(const struct probe *probe);

struct probe_usage {                          /* what the kernel side itself takes */
	uint64_t map_bytes;                   /* as of one of the last twelve calls */
	uint64_t ring_bytes, ring_peak_bytes; /* the most that waited since the last call */
	uint64_t programs_ns;                 /* run time so far; counted by the kernel only while
						 kernel.bpf_stats_enabled is 1 */
};
/* For the next look: what was found by the last. */
struct usage_looks {
	unsigned count;
	uint64_t map_bytes, programs_ns;
	bool counted; /* the kernel counted run times */
};

void probe_usage(struct probe *probe, struct probe_usage *ret);
