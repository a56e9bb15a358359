/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"

/* The kernel's own counts of threads and processes. */

/* The counts of a thread, without its time since the scheduler last updated them and without its
 * waits (wait.bpf.h). */
static __always_inline void counts_of_thread(struct process_counts *ret, struct task_struct *task)
{
	__builtin_memset(ret, 0, sizeof(*ret));
	ret->cpu_ns = task->se.sum_exec_runtime;
	ret->user_ticks = task->utime;
	ret->kernel_ticks = task->stime;
	ret->runnable_ns = task->sched_info.run_delay;
	ret->minor_faults = task->min_flt;
	ret->major_faults = task->maj_flt;
	ret->ctx_voluntary = task->nvcsw;
	ret->ctx_involuntary = task->nivcsw;
	ret->read_chars_bytes = task->ioac.rchar;
	ret->write_chars_bytes = task->ioac.wchar;
	ret->disk_read_bytes = task->ioac.read_bytes;
	ret->disk_write_bytes = task->ioac.write_bytes;
}

/* The kernel's sums over released threads (__exit_signal). It keeps no sum of run_delay, and its
 * sum of ioac contains that of reaped children (wait_task_zombie): those counts stay as they are.
 */
static __always_inline void counts_of_released(struct process_counts *ret,
					       struct signal_struct *signal)
{
	ret->cpu_ns = signal->sum_sched_runtime;
	ret->user_ticks = signal->utime;
	ret->kernel_ticks = signal->stime;
	ret->minor_faults = signal->min_flt;
	ret->major_faults = signal->maj_flt;
	ret->ctx_voluntary = signal->nvcsw;
	ret->ctx_involuntary = signal->nivcsw;
}

#define COUNTS       (sizeof(struct process_counts) / sizeof(__u64))
#define COUNT(of, i) (((__u64 *)(of))[i])

static __always_inline void counts_add(struct process_counts *sum, const struct process_counts *of)
{
#pragma unroll
	for (unsigned i = 0; i < COUNTS; i++)
		COUNT(sum, i) += COUNT(of, i);
}

/* For a sum to which several ending threads add. */
static __always_inline void counts_add_atomic(struct process_counts *sum,
					      const struct process_counts *of)
{
#pragma unroll
	for (unsigned i = 0; i < COUNTS; i++)
		__sync_fetch_and_add(&COUNT(sum, i), COUNT(of, i));
}

#define BASE_COUNTS (sizeof(struct process_base) / sizeof(__u64))

/* The counts since the image began. Never below zero: a count may have been read a little late. */
static __always_inline void counts_since(struct process_counts *ret,
					 const struct process_counts *total,
					 const struct process_base *base)
{
#pragma unroll
	for (unsigned i = 0; i < COUNTS; i++) {
		__s64 count = COUNT(total, i) - (i < BASE_COUNTS ? COUNT(base, i) : 0);

		COUNT(ret, i) = count > 0 ? count : 0;
	}
}

/* An image begins; total: what the process consumed before. */
static __always_inline void counts_begin(struct process_counts *dead, struct process_base *base,
					 const struct process_counts *total)
{
#pragma unroll
	for (unsigned i = 0; i < COUNTS; i++) {
		if (i < BASE_COUNTS)
			COUNT(base, i) = COUNT(total, i);
		else
			COUNT(dead, i) -= COUNT(total, i);
	}
}
