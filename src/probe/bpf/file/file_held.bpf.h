/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process_state.h"

/* Descriptors that a program inherited, until it uses them. */

/* A freed struct file is reused for another file, so the key has bits of the id as well. The bits
 * shifted out of the address are the same in all addresses. */
static __always_inline __u64 file_held_key(__u64 address, __u64 id)
{
	return address << 16 | (id & 0xffff);
}

/* NULL: not among them. */
static __always_inline struct file_held *file_held_at(struct process_state *state, __u64 key)
{
	for (int i = 0; i < FILES_HELD; i++)
		if (state->held[i].key == key)
			return &state->held[i];
	return NULL;
}
