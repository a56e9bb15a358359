/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/resident_pages.bpf.h"

/* Peak memory of an image. */

static __always_inline __u64 larger(__u64 a, __u64 b)
{
	return a > b ? a : b;
}

/* As in setmax_mm_hiwater_rss(), but exact. */
static __always_inline __u64 peak_pages(struct mm_struct *mm, struct task_struct *task)
{
	return larger(mm->hiwater_rss, resident_pages(mm, task));
}

/* signal->maxrss covers all images of the process: it is the peak of this one only if it grew since
 * its exec. mm: of the task; NULL: freed already. */
static __always_inline void consumed_peak(struct process_consumed *ret,
					  const struct process_state *state,
					  struct task_struct *task, struct mm_struct *mm)
{
	__u64 peak = state->peak_pages;
	__u64 maxrss = task->signal->maxrss;

	ret->peak_exact = true;
	ret->peak_pages = 0;
	if (state->flags & PROCESS_MM_SHARED)
		return;
	if (mm)
		peak = larger(peak, peak_pages(mm, task));
	if (!(state->flags & PROCESS_ENDED) && maxrss > state->base_maxrss)
		peak = larger(peak, maxrss);
	if (!peak) {
		peak = maxrss;
		ret->peak_exact = false;
	}
	ret->peak_pages = peak;
}
