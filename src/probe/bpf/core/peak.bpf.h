/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/memory.bpf.h"
#include "probe/bpf/core/table.bpf.h"
#include "probe/bpf/core/task_rdonly.bpf.h"

/* Hooks just before the memory of an image is freed; hooks.c chooses one for exec and one for exit.
 */

/* Reads the peak before memory is freed. signal->maxrss has it only if it is the largest of all
 * images of the process so far, and since 6.2 only roughly. */
static __always_inline int memory_goes(struct task_struct *task)
{
	struct process_state *state;
	struct mm_struct *mm;

	task = task_rdonly(task);
	state = state_of(task->group_leader);
	mm = task->mm;
	if (state && mm && !(state->flags & PROCESS_MM_SHARED))
		state->peak_pages = peak_pages(mm, task);
	return 0;
}

SEC("tp_btf/sched_prepare_exec")
int BPF_PROG(on_prepare_exec, struct task_struct *task, struct linux_binprm *bprm)
{
	return memory_goes(task);
}

/* Before 6.10, which brought sched_prepare_exec. */
SEC("fentry/begin_new_exec")
int BPF_PROG(on_begin_new_exec, struct linux_binprm *bprm)
{
	return memory_goes(bpf_get_current_task_btf());
}

/* For kernels without fentry: arm64 before 6.4. */
SEC("kprobe/begin_new_exec")
int on_begin_new_exec_kprobe(struct pt_regs *regs)
{
	return memory_goes(bpf_get_current_task_btf());
}

/* Before 6.16, which moved the exit tracepoint to before exit_mm. */
SEC("fentry/taskstats_exit")
int BPF_PROG(on_taskstats_exit, struct task_struct *task, int group_dead)
{
	return group_dead ? memory_goes(task) : 0;
}

SEC("kprobe/taskstats_exit")
int on_taskstats_exit_kprobe(struct pt_regs *regs)
{
	return (int)PT_SECOND(regs) ? memory_goes(bpf_get_current_task_btf()) : 0;
}
