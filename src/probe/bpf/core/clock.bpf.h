/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/task_rdonly.bpf.h"

/*
 * The clock of scheduling times: that of the run queue, by which the kernel itself counts how long
 * a thread runs and is ready. It is fresh at each switch and costs one load. Each CPU has its own
 * clock; adding its last known distance from the boot-time clock converts it.
 */

#define CLOCK_STALE_NS    10000000
#define CLOCK_STEP_NS     20000
#define CLOCK_DRIFT_SHIFT 10 /* the two drift apart by 0.1 % at most (an NTP client: 0.05 %) */
#define CLOCK_JUMP_NS     1000000000 /* the host was suspended */

__u64 clock_seen_ns[PROCESS_CPUS_MAX]; /* the run queue's clock at the last comparison; 0: never
					  compared */
__u64 clock_behind_ns[PROCESS_CPUS_MAX];

/* Compares the two clocks. If the CPU was preempted between the two reads, the distance read is too
 * large; it is never too small. */
static __always_inline void clock_compare(__u32 cpu, __u64 clock_ns)
{
	__u64 behind_ns = bpf_ktime_get_boot_ns() - clock_ns;
	__s64 step_ns = behind_ns - clock_behind_ns[cpu];
	/* A CPU on which no tracked process ran for a day has drifted for a day. */
	__s64 most_ns = CLOCK_STEP_NS + ((clock_ns - clock_seen_ns[cpu]) >> CLOCK_DRIFT_SHIFT);

	if (clock_seen_ns[cpu] && step_ns > most_ns && step_ns < CLOCK_JUMP_NS)
		behind_ns = clock_behind_ns[cpu] + most_ns;
	/* The first distance may be far off, as may a large step: compare again soon. */
	if (!clock_seen_ns[cpu] || step_ns > CLOCK_STEP_NS)
		clock_seen_ns[cpu] = clock_ns - CLOCK_STALE_NS;
	else
		clock_seen_ns[cpu] = clock_ns;
	clock_behind_ns[cpu] = behind_ns;
}

/* The boot-time clock at a switch. Without a run queue to read from (no cfs_rq field), it is read
 * itself. */
static __always_inline __u64 clock_at_switch(struct task_struct *prev)
{
	__u32 cpu = bpf_get_smp_processor_id() % PROCESS_CPUS_MAX;
	__u64 clock_ns;

	if (!bpf_core_field_exists(prev->se.cfs_rq))
		return bpf_ktime_get_boot_ns();
	clock_ns = rq_of(prev)->clock;
	if (clock_ns - clock_seen_ns[cpu] > CLOCK_STALE_NS)
		clock_compare(cpu, clock_ns);
	return clock_ns + clock_behind_ns[cpu];
}
