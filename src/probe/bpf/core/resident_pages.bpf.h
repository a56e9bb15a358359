/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process.h"
#include "probe/bpf/core/core_types.h"

/* Resident pages of a process, by kind. */

const volatile __u32 cpu_count;     /* possible CPUs, ≤ PROCESS_CPUS_MAX */
__u64 cpu_offset[PROCESS_CPUS_MAX]; /* offset of the CPU's part of a per-cpu variable
				     * (measure.bpf.h)
				     */

static __always_inline __u64 positive(__s64 pages)
{
	return pages > 0 ? pages : 0;
}

static __always_inline void per_cpu_part(__s32 *ret, __u64 base, __u64 offset)
{
	bpf_probe_read_kernel(ret, sizeof(*ret), (void *)base + offset);
}

/* Since 6.2 most pages of a small process are counted in the per-cpu parts. The four counters are
 * allocated together, side by side (percpu_counter_init_many, 6.6); before, one by one. */
static __always_inline void pages_per_cpu(__s64 pages[MEMORY_KINDS], struct mm_struct *mm)
{
	__u64 file = (__u64)mm->rss_stat[MEMORY_FILE].counters;
	__u64 anon = (__u64)mm->rss_stat[MEMORY_ANON].counters;
	__u64 swap = (__u64)mm->rss_stat[MEMORY_SWAP].counters;
	__u64 shmem = (__u64)mm->rss_stat[MEMORY_SHMEM].counters;
	bool adjacent = anon == file + 4 && shmem == file + 12;

	pages[MEMORY_FILE] = mm->rss_stat[MEMORY_FILE].count;
	pages[MEMORY_ANON] = mm->rss_stat[MEMORY_ANON].count;
	pages[MEMORY_SWAP] = mm->rss_stat[MEMORY_SWAP].count;
	pages[MEMORY_SHMEM] = mm->rss_stat[MEMORY_SHMEM].count;
	for (__u32 cpu = 0; cpu < PROCESS_CPUS_MAX; cpu++) {
		__s32 part[MEMORY_KINDS] = {};

		if (cpu >= cpu_count)
			break;
		if (adjacent) {
			bpf_probe_read_kernel(part, sizeof(part), (void *)file + cpu_offset[cpu]);
		} else {
			per_cpu_part(&part[MEMORY_FILE], file, cpu_offset[cpu]);
			per_cpu_part(&part[MEMORY_ANON], anon, cpu_offset[cpu]);
			per_cpu_part(&part[MEMORY_SWAP], swap, cpu_offset[cpu]);
			per_cpu_part(&part[MEMORY_SHMEM], shmem, cpu_offset[cpu]);
		}
		for (int kind = 0; kind < MEMORY_KINDS; kind++)
			pages[kind] += part[kind];
	}
}

/* Before 6.2 a thread holds back up to 64 pages of each count; those of other threads are not seen.
 */
static __always_inline void pages_before_6_2(__s64 pages[MEMORY_KINDS], struct mm_struct *mm,
					     struct task_struct *task)
{
	struct mm_struct___before_6_2 *old = (void *)mm;
	struct task_struct___before_6_2 *thread = (void *)task;
	int own[MEMORY_KINDS] = {};

	bpf_core_read(pages, MEMORY_KINDS * sizeof(*pages), &old->rss_stat.count);
	if (bpf_core_field_exists(thread->rss_stat))
		bpf_core_read(&own, sizeof(own), &thread->rss_stat.count);
	for (int kind = 0; kind < MEMORY_KINDS; kind++)
		pages[kind] += own[kind];
}

/* Sets pages by kind and returns how many are resident. */
static __always_inline __u64 pages_of(__u64 ret[MEMORY_KINDS], struct mm_struct *mm,
				      struct task_struct *task)
{
	__s64 pages[MEMORY_KINDS] = {};

	if (bpf_core_type_exists(struct mm_rss_stat))
		pages_before_6_2(pages, mm, task);
	else
		pages_per_cpu(pages, mm);
	for (int kind = 0; kind < MEMORY_KINDS; kind++)
		ret[kind] = positive(pages[kind]);
	return ret[MEMORY_FILE] + ret[MEMORY_ANON] + ret[MEMORY_SHMEM];
}

static __always_inline __u64 resident_pages(struct mm_struct *mm, struct task_struct *task)
{
	__u64 pages[MEMORY_KINDS];

	return pages_of(pages, mm, task);
}
