/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process_state.h"

/* Descriptors that a program was begun with, until it moves them. */

/* A struct file is used again once it is free, for another file: some of the id goes with it. What
 * is shifted out of an address is the same in all of them. */
static __always_inline __u64 file_held_key(__u64 address, __u64 id)
{
	return address << 16 | (id & 0xffff);
}

/* NULL: it is not among them. */
static __always_inline struct file_held *file_held_at(struct process_state *state, __u64 key)
{
	for (int i = 0; i < FILES_HELD; i++)
		if (state->held[i].key == key)
			return &state->held[i];
	return NULL;
}

/* Bytes since the program began. */
static __always_inline __u64 file_held_moved(const struct file_held *held, __u64 position)
{
	return position >= held->from ? position - held->from : 0;
}
