#pragma once
/* The kernel's own accounts of threads and processes. Part of process.bpf.c. */

struct process_clock clocks[2]; /* kept by the agent: one is whole while it writes the other */
__u32 clock_index;

/* What a running thread used since the scheduler last looked is not in sum_exec_runtime: a process
 * of 300 µs would often have none at all. */
static __always_inline __u64 cpu_since_ns(struct task_struct *task, __u64 now_ns)
{
	const struct process_clock *clock = &clocks[clock_index & 1];
	__s64 drifted = (__s64)(now_ns - clock->at_ns) * clock->drift >> PROCESS_CLOCK_SHIFT;
	struct rq *rq;
	__s64 since;

	if (!clock->offset_ns || !bpf_core_field_exists(task->se.cfs_rq))
		return 0;
	rq = task->se.cfs_rq->rq;
	since = now_ns - clock->offset_ns - drifted - (rq->clock - rq->clock_task) -
		task->se.exec_start;
	return since > 0 && since < 1000000000 ? since : 0;
}

/* A thread's own. */
static __always_inline void counts_of_thread(struct process_counts *ret, struct task_struct *task)
{
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

/* Of the threads that were released (__exit_signal). The kernel keeps no sum of run_delay, and the
 * one of ioac has in it what reaped children did (wait_task_zombie): those are left as they are. */
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

/* For a sum that several dying threads add to. */
static __always_inline void counts_add_atomic(struct process_counts *sum,
					      const struct process_counts *of)
{
#pragma unroll
	for (unsigned i = 0; i < COUNTS; i++)
		__sync_fetch_and_add(&COUNT(sum, i), COUNT(of, i));
}

/* Never below zero: a count that was read a little late is no overflow. */
static __always_inline void counts_subtract(struct process_counts *ret,
					    const struct process_counts *from,
					    const struct process_counts *of)
{
#pragma unroll
	for (unsigned i = 0; i < COUNTS; i++)
		COUNT(ret, i) = COUNT(from, i) > COUNT(of, i) ? COUNT(from, i) - COUNT(of, i) : 0;
}
