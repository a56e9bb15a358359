#pragma once
/*
 * What woke a thread that polled, told when it comes back on a CPU: by an epoll's own list of what
 * is ready; by which of a poll's files can be read; by its timeout being over; or because nothing
 * else was waited for. Where none of this is sure it is unknown. Part of process.bpf.c.
 */

/* At the switch the kernel has not yet added to run_delay for how long it was ready (5.15 to 6.18:
 * sched_info_arrive comes after the tracepoint). */
static __always_inline __u64 ready_ns(struct task_struct *task)
{
	__u64 since_ns = BPF_CORE_READ(task, sched_info.last_queued), clock_ns;

	if (!bpf_core_field_exists(task->se.cfs_rq))
		return 0;
	clock_ns = BPF_CORE_READ(task, se.cfs_rq, rq, clock);
	return since_ns && clock_ns > since_ns ? clock_ns - since_ns : 0;
}

/* The timeout begins with the call, before the thread leaves its CPU: a little, unless another took
 * the CPU in between. Where nothing but what was looked at could have ended the wait, that may be
 * an eighth of it. */
static __always_inline bool is_over(const struct waiter *waiter, struct task_struct *task)
{
	__u64 limit_ns = waiter->limit_ns, waited_ns = waiter->in_ns - waiter->out_ns;
	__u64 early_ns = waiter->polls & WAIT_FOR_OTHER ? limit_ns / 64 : limit_ns / 8;

	return limit_ns && waited_ns + early_ns >= limit_ns + ready_ns(task);
}

static __always_inline bool is_signalled(struct task_struct *task)
{
	__u64 pending = BPF_CORE_READ(task, pending.signal.sig[0]) |
			BPF_CORE_READ(task, signal, shared_pending.signal.sig[0]);

	return pending & ~BPF_CORE_READ(task, blocked.sig[0]);
}

/* The kind of the first that is known to be ready; 0: of none it is. What is alone in its kind,
 * with no end of its own, needs no proof. */
static __always_inline int poll_proven(const struct waiter *waiter, __u64 task)
{
	__u32 all = waiter->polls;
	int kind = 0;

	if (all & WAIT_FOR_EPOLL)
		return polled_by_epoll(task, waiter->files[0]);
	if (!(all & (all - 1)) && all != WAIT_FOR_OTHER && !waiter->limit_ns)
		return 0;
	for (__u32 i = 0; i < WAIT_FILES && !kind; i++)
		if (waiter->files[i] != NO_FILE)
			kind = polled_ready(task, waiter->files[i]);
	return kind;
}

/* enum wait_woke. address: of the thread, which is none that runs yet. */
__noinline int poll_woke(const struct waiter *waiter, __u64 address)
{
	struct task_struct *task = (void *)address;
	__u32 kind;

	if (!waiter || !waiter->polls)
		return WAIT_WOKE_UNKNOWN;
	kind = poll_proven(waiter, address);
	if (!kind && is_over(waiter, task))
		return WAIT_WOKE_TIMER;
	if (!kind && !is_signalled(task))
		kind = waiter->polls; /* several, and any of an epoll, are none of these: */
	switch (kind) {
	case WAIT_FOR_NETWORK:
		return WAIT_WOKE_NETWORK;
	case WAIT_FOR_PIPE:
		return WAIT_WOKE_PIPE;
	case WAIT_FOR_TIMER:
		return WAIT_WOKE_TIMER;
	}
	return WAIT_WOKE_UNKNOWN;
}
