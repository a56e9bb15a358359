/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/wait.h"
#include "probe/bpf/core/core_types.h"

/* Whether a wait has a timeout. */

const volatile __u8 wait_limits[WAIT_CALLS]; /* by system call number: enum wait_limit */

static __always_inline bool is_timed(struct task_struct *task)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	__u64 number = PT_CALL(regs);

	barrier_var(number); /* as in wait_of */
	if (IS_32_BIT(task) || number >= WAIT_CALLS)
		return false;
	switch (wait_limits[number]) {
	case WAIT_LIMIT_ALWAYS:
		return true;
	case WAIT_LIMIT_THIRD:
		return PT_THIRD(regs);
	case WAIT_LIMIT_FOURTH:
		return PT_FOURTH(regs);
	case WAIT_LIMIT_FIFTH:
		return PT_FIFTH(regs);
	case WAIT_LIMIT_THIRD_MS:
		return (__s32)PT_THIRD(regs) >= 0;
	case WAIT_LIMIT_FOURTH_MS:
		return (__s32)PT_FOURTH(regs) >= 0;
	}
	return false;
}
