/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process.h"
#include "probe/abi/process_state.h"
#include "probe/abi/wait.h"
#include "probe/abi/wall.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/wait/waiter.bpf.h"
#include "probe/bpf/wait/wall.bpf.h"
#include "probe/bpf/wait/wall_held.bpf.h"
#include "probe/bpf/wait/wall_switch.bpf.h"

/* The wall time of an image. */

/* Fills in the wall time of an image. ended: it ends here. */
static __always_inline void wall_take(struct process_consumed *ret,
				      const struct process_state *state, __u32 pid, bool ended,
				      __u64 now_ns)
{
	bool is_counted = state->threads_peak > 1 && !(state->flags & PROCESS_WALL_MISSED);
	struct wall *wall = is_counted ? wall_of(pid) : NULL;

	__builtin_memset(ret->wall_ns, 0, sizeof(ret->wall_ns));
	ret->unused = 0;
	ret->wall = state->threads_peak > 1               ? WALL_UNKNOWN
		    : state->flags & PROCESS_TIMES_MISSED ? WALL_OF_THREAD_PARTLY
							  : WALL_OF_THREAD;
	if (!wall)
		return;
	ret->wall = WALL_COUNTED;
	bpf_spin_lock(&wall->lock);
	if (ended)
		wall_end(wall);
	wall_read(wall, ret->wall_ns, ended, now_ns);
	bpf_spin_unlock(&wall->lock);
}

static __always_inline void wall_drop(const struct process_state *state, __u32 pid)
{
	if (state->threads_peak > 1)
		bpf_map_delete_elem(&walls, &pid);
}

/* The image of the running thread, now the only one, ends by an exec. */
static __always_inline void wall_image_ends(const struct process_state *state,
					    struct task_struct *task)
{
	struct waiter *waiter = waiter_of(task->pid);

	wall_drop(state, task->tgid);
	if (waiter)
		waiter->wall = WAIT_WALL_NONE;
}
