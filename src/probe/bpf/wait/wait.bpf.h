/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process.h"
#include "probe/abi/process_state.h"
#include "probe/abi/wait.h"
#include "probe/bpf/core/clock.bpf.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/cpu.bpf.h"
#include "probe/bpf/wait/poll_woke.bpf.h"
#include "probe/bpf/wait/steal_time.bpf.h"
#include "probe/bpf/wait/waiter.bpf.h"

/* The waits of a thread. A wait is the time off the CPU less the growth of run_delay; it is added
 * to the process when the thread next leaves a CPU. */

#define MISNAMED_LEAST_NS 1000000

/* The duration of a wait that ended at in_ns. */
static __always_inline __u64 wait_ns(const struct waiter *waiter, struct task_struct *task,
				     __u64 in_ns)
{
	__s64 delay_ns = task->sched_info.run_delay - waiter->run_delay_ns;
	__s64 ns = in_ns - waiter->out_ns - delay_ns;

	return ns > 0 ? ns : 0;
}

static __always_inline void waits_add(struct process_counts *sum, __u32 state, __u32 where,
				      __u64 ns)
{
	if (state >= WAIT_STATES)
		return;
	__sync_fetch_and_add(&sum->waits_ns[state], ns);
	if (state == WAIT_DISK && where == WAIT_SHARED)
		__sync_fetch_and_add(&sum->disk_shared_ns, ns);
	if (state == WAIT_DISK && where == WAIT_FUSE)
		__sync_fetch_and_add(&sum->disk_fuse_ns, ns);
}

/* When a running thread came on its CPU, as the kernel records it by the clock of that CPU. */
static __always_inline __u64 arrived_ns(struct task_struct *task)
{
	__u32 cpu = bpf_get_smp_processor_id() % PROCESS_CPUS_MAX;

	return task->sched_info.last_arrival + clock_behind_ns[cpu];
}

/* A thread leaves a CPU, but its arrival there was not seen: some kernels do not report the switch
 * away from some threads (docs/signal.md, What a kernel may not report). The steal time since then
 * is unknown; what woke the thread is known only if it waited for one kind, or if the timeout
 * expired. */
static __always_inline void wait_unseen(struct waiter *waiter, struct task_struct *task)
{
	if (!waiter->pending || waiter->in_ns >= waiter->out_ns ||
	    !bpf_core_field_exists(task->se.cfs_rq))
		return;
	waiter->in_ns = arrived_ns(task);
	waiter->steal_time_ns = steal_time_ns(task);
	if (waiter->pending == 1 + WAIT_POLL && !waiter->limited)
		waiter->where = woke_of(waiter->polls);
}

/* Since Linux 6.12 run_delay may contain a sleep (docs/signal.md, the same). By how much, if the
 * waking was seen. */
static __always_inline __u64 misnamed_ns(const struct waiter *waiter, __u64 ns)
{
	__s64 slept_ns = waiter->before_ns - waiter->out_ns, more_ns = slept_ns - ns;

	if (waiter->wall != WAIT_WALL_NONE || slept_ns < 0 || waiter->before_ns > waiter->in_ns)
		return 0;
	return more_ns > MISNAMED_LEAST_NS ? more_ns : 0;
}

static __always_inline void wait_settle(struct waiter *waiter, struct task_struct *task,
					struct process_state *process)
{
	__u32 state = waiter->pending - 1, where = waiter->where;
	__u64 ns, more_ns;

	if (waiter->pending && waiter->in_ns >= waiter->out_ns) {
		ns = wait_ns(waiter, task, waiter->in_ns);
		more_ns = misnamed_ns(waiter, ns);
		if (more_ns) {
			ns += more_ns;
			__sync_fetch_and_add(&process->dead.runnable_ns, -more_ns);
		}
		waits_add(&process->dead, state, where, ns);
		if (state == WAIT_POLL && is_over(waiter, ns))
			where = WAIT_WOKE_TIMER;
		where--;
		barrier_var(where); /* for the verifier: the value compared is the value used */
		if (state == WAIT_POLL && where < WAIT_WOKES - 1)
			__sync_fetch_and_add(&process->woken_ns[where], ns);
	}
	waiter->pending = 0;
}
