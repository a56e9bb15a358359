/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/file.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/loop.bpf.h"
#include "probe/bpf/core/state.bpf.h"
#include "probe/bpf/file/file.bpf.h"
#include "probe/bpf/file/file_descriptor.bpf.h"
#include "probe/bpf/file/file_emit.bpf.h"
#include "probe/bpf/file/file_use.bpf.h"

/* A walk over the descriptors of a process. */

struct file_walk {
	struct process_state *state;
	struct file **all;
	unsigned long *open;
	__u64 bits;                    /* of the current word of `open`: descriptors not seen yet */
	__u32 most, next, how, beyond; /* next: first descriptor of the next word */
};

/* Handles one descriptor, or reads the next word. Not inline: older kernels refuse a loop with an
 * end that falls through to its beginning. */
static __noinline long file_walk_step(__u32 i, struct file_walk *walk)
{
	__u64 address = 0, lowest, slot;

	if (!walk->bits) {
		if (walk->next >= walk->most ||
		    bpf_probe_read_kernel(&walk->bits, sizeof(walk->bits),
					  walk->open + walk->next / 64))
			return 1;
		walk->next += 64;
		return 0;
	}
	lowest = walk->bits & -walk->bits;
	walk->bits ^= lowest;
	slot = (__u64)(walk->all + walk->next - 64 + __builtin_popcountll(lowest - 1));
	if (bpf_probe_read_kernel(&address, sizeof(address), (const void *)slot) || !address)
		return 0;
	if (walk->how == FILE_STAYS_OPEN)
		file_kept(walk->state, address, slot);
	else
		file_used(walk->state, address, walk->how);
	return 0;
}

/* Counts the descriptors beyond the limit, which are not observed. */
static long file_beyond_step(__u32 i, struct file_walk *walk)
{
	walk->beyond += __builtin_popcountll(walk->bits);
	if (walk->next >= walk->most ||
	    bpf_probe_read_kernel(&walk->bits, sizeof(walk->bits), walk->open + walk->next / 64))
		return 1;
	walk->next += 64;
	return 0;
}

__noinline int files_walk(struct process_state *state, __u64 files_address, __u32 how)
{
	struct fdtable *table = BPF_CORE_READ((struct files_struct *)files_address, fdt);
	struct file_walk walk = { .state = state,
				  .all = BPF_CORE_READ(table, fd),
				  .open = BPF_CORE_READ(table, open_fds),
				  .most = BPF_CORE_READ(table, max_fds),
				  .next = 64,
				  .how = how };

	/* Not in the first step: verifiers before 6.7 check no other step, and remove a branch that
	 * the first one does not take. */
	if (!state || !table || bpf_probe_read_kernel(&walk.bits, sizeof(walk.bits), walk.open))
		return 0;
	LOOP(FILE_FDS_MAX + FILE_FDS_MAX / 64, file_walk_step, &walk);
	if (how == FILE_AT_EXIT && (walk.bits || walk.next < walk.most)) {
		LOOP(FILE_WORDS_MAX, file_beyond_step, &walk);
		__sync_fetch_and_add(&losses.file, walk.beyond);
	}
	return 0;
}

static __always_inline void files_end(struct process_state *state, struct task_struct *task)
{
	if (files_off)
		return;
	files_walk(state, (__u64)BPF_CORE_READ(task, files), FILE_AT_EXIT);
	files_emit(state, true);
}
