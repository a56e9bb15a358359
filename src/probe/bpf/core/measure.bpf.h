/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/resident_pages.bpf.h"

/* The layout of per-cpu memory, measured once after the load. */

/* A per-cpu variable of our own: the address of each CPU's part less the base address is the offset
 * of that CPU's part of any per-cpu variable. Needs no kernel symbol. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} part SEC(".maps");

__u32 part_id; /* the map's id */

SEC("iter/bpf_map")
int measure_cpus(struct bpf_iter__bpf_map *ctx)
{
	struct bpf_map *map = ctx->map;
	__u64 base = 0;
	__u32 key = 0;

	if (!map || map->id != part_id)
		return 0;
	bpf_probe_read_kernel(&base, sizeof(base),
			      (void *)map + bpf_core_field_offset(struct bpf_array, pptrs));
	for (__u32 cpu = 0; cpu < PROCESS_CPUS_MAX; cpu++) {
		if (cpu >= cpu_count)
			break;
		*(volatile __u64 *)&cpu_offset[cpu] =
			(__u64)bpf_map_lookup_percpu_elem(&part, &key, cpu);
		*(volatile __u64 *)&cpu_offset[cpu] -= base;
	}
	return 0;
}
