/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/file.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/state.bpf.h"
#include "probe/bpf/file/file.bpf.h"

/* New entries for files and kinds of files. */

static __always_inline bool file_has_room(const struct process_state *state)
{
	struct file_use *head = state->files ? file_find(state, state->files) : NULL;

	return !head || head->number < FILE_CAP;
}

#define FILE_LINK_TRIES 4

/* NULL: no room, or another thread has made it. */
static __always_inline struct file_use *file_make(struct process_state *state, __u64 id,
						  enum file_kind kind)
{
	struct file_key key = file_key_of(state, id);
	struct file_use *head, *use;

	if (file_find(state, id) || !file_add(&key))
		return NULL;
	use = file_at(&key);
	if (!use)
		return NULL;
	use->kind = kind;
	use->first_ns = bpf_ktime_get_boot_ns();
	use->first_tick = use->last_tick = bpf_jiffies64();
	for (int i = 0; i < FILE_LINK_TRIES; i++) {
		use->next = state->files;
		head = use->next ? file_find(state, use->next) : NULL;
		use->number = (head ? head->number : 0) + (kind == FILE_REGULAR);
		if (__sync_val_compare_and_swap(&state->files, use->next, id) == use->next)
			return use;
	}
	file_remove(&key);
	return NULL;
}

/* The entry that is there, or a new one. NULL: no room. */
static __always_inline struct file_use *file_get(struct process_state *state, __u64 id,
						 enum file_kind kind)
{
	struct file_use *use = file_find(state, id);

	if (!use)
		use = file_make(state, id, kind);
	return use ? use : file_find(state, id);
}

/* The entry of a kind. NULL: no room, which is counted. */
static __always_inline struct file_use *file_of_kind(struct process_state *state, __u64 id,
						     enum file_kind kind)
{
	struct file_use *use = file_get(state, id, kind);

	if (!use)
		__sync_fetch_and_add(&losses.file, 1);
	return use;
}
