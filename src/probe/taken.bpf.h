#pragma once
/* CPUs that were taken from threads amid their work. Part of process.bpf.c. */

/* All of a turn may have been taken, and more: what the kernel hears of late it takes off what
 * comes next. A thread that is woken on an idle CPU comes on it by the clock of its waking, however
 * late another guest gives the CPU back. */
static __always_inline __u64 taken_since_ns(const struct waiter *waiter, struct task_struct *task,
					    __u64 now_ns)
{
	__s64 ns = taken_ns(task) - waiter->taken_ns, went_by_ns = now_ns - waiter->in_ns;

	if (!waiter->in_ns || ns <= 0 || went_by_ns <= 0)
		return 0;
	return ns < went_by_ns ? ns : went_by_ns;
}

/* A CPU that was taken from a thread amid its work (an interrupt, another guest of the machine
 * below) is one that it waited for. The kernel leaves that out of sum_exec_runtime. */
static __always_inline void taken_add(const struct waiter *waiter, struct task_struct *task,
				      struct process_counts *sum, __u64 now_ns)
{
	__u64 ns = taken_since_ns(waiter, task, now_ns);

	if (ns)
		__sync_fetch_and_add(&sum->runnable_ns, ns);
}
