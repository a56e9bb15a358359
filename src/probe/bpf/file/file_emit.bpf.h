/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/file.h"
#include "probe/abi/process.h"
#include "probe/abi/process_head.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/loop.bpf.h"
#include "probe/bpf/core/ring.bpf.h"
#include "probe/bpf/core/state.bpf.h"
#include "probe/bpf/file/file.bpf.h"

/* Records of the use of files. */

#define FILE_RECORD_SIZE offsetof(struct process_file_record, file.path) /* without a path */

static __always_inline void file_fill(struct process_file_record *record,
				      const struct process_state *state, __u64 id)
{
	__builtin_memset(record, 0, FILE_RECORD_SIZE);
	record->head.kind = PROCESS_FILE;
	record->head.pid = state->pid;
	record->head.start_ns = state->start_ns;
	record->head.at_ns = bpf_ktime_get_boot_ns();
	record->head.image_seq = state->image_seq;
	record->file.id = id;
}

/* Moves the counts into the record, which reports growth. Whoever uses the file meanwhile adds to
 * the counts first and sets `changed` then: the exchanges keep the order. */
static __always_inline void file_take(struct file_record *record, struct file_use *use,
				      __u64 now_ns)
{
	__u64 ticks = bpf_jiffies64() - use->first_tick;
	__u64 lived_ns = now_ns - use->first_ns;

	use->changed = 0;
	record->opens = __sync_lock_test_and_set(&use->opens, 0);
	record->failures = __sync_lock_test_and_set(&use->failures, 0);
	record->moved_bytes = __sync_lock_test_and_set(&use->moved_bytes, 0);
	record->size_bytes = use->size_bytes;
	record->first_ns = use->first_ns;
	record->last_ns = use->first_ns;
	if (ticks)
		record->last_ns += lived_ns / ticks * (use->last_tick - use->first_tick);
	record->error = use->error;
	record->kind = use->kind;
	record->flags = use->flags;
	if (record->flags & FILE_ERROR_IS_NEW)
		use->flags &= ~FILE_ERROR_IS_NEW;
}

__noinline int file_send(struct process_state *state, struct file_use *use, __u64 id)
{
	struct process_file_record *record = bpf_ringbuf_reserve(&ring, FILE_RECORD_SIZE, 0);

	if (!record) {
		__sync_fetch_and_add(&losses.file, 1);
		return 0;
	}
	if (!state || !use) {
		bpf_ringbuf_discard(record, 0);
		return 0;
	}
	file_fill(record, state, id);
	file_take(&record->file, use, record->head.at_ns);
	bpf_ringbuf_submit(record, ring_flags());
	return 0;
}

struct file_emitting {
	struct process_state *state;
	__u64 id;
	__u32 ends;
};

static long file_emit_step(__u32 i, struct file_emitting *emitting)
{
	struct file_key key = file_key_of(emitting->state, emitting->id);
	struct file_use *use = key.id ? file_at(&key) : NULL;

	if (!use)
		return 1;
	emitting->id = use->next;
	if (use->changed)
		file_send(emitting->state, use, key.id);
	if (emitting->ends)
		file_remove(&key);
	return 0;
}

/* Sends all entries of an image that changed. ends: the image ends, so drops the entries. */
__noinline int files_emit(struct process_state *state, __u32 ends)
{
	struct file_emitting emitting = { .state = state, .ends = ends };

	if (!state || !state->files)
		return 0;
	emitting.id = state->files;
	LOOP(FILE_CHAIN_MAX, file_emit_step, &emitting);
	if (ends)
		state->files = 0;
	return 0;
}
