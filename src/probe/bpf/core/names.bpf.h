/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/ring.bpf.h"
#include "probe/bpf/core/state.bpf.h"

/* Programs that begin or end tracking, by name. */

/* Basenames, and what their exec does. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 4096); /* PROBE_NAMES_MAX if the rules have more */
	__type(key, char[PROCESS_NAME_SIZE]);
	__type(value, __u8); /* enum name_mark */
} names SEC(".maps");

__u64 name_bits[PROCESS_NAME_BITS / 64]; /* see PROCESS_NAME_BIT */

/* room: PROCESS_PATH_MAX bytes. */
static __always_inline __u32 mark_of_path(const char *path, char *room)
{
	char name[PROCESS_NAME_SIZE] = {};
	long size = bpf_probe_read_kernel_str(room, PROCESS_PATH_MAX, path);
	__u32 end, len, bit;
	const __u8 *mark;

	if (size < 2 || size > PROCESS_PATH_MAX)
		return NAME_UNKNOWN;
	end = size - 1;
	for (len = 0; len < PROCESS_NAME_SIZE; len++)
		if (len == end || room[(end - 1 - len) & (PROCESS_PATH_MAX - 1)] == '/')
			break;
	if (len == 0 || len == PROCESS_NAME_SIZE)
		return NAME_UNKNOWN;
	bit = PROCESS_NAME_BIT(len, room[(end - len) & (PROCESS_PATH_MAX - 1)],
			       room[(end - 1) & (PROCESS_PATH_MAX - 1)]);
	if (!(name_bits[bit / 64] >> bit % 64 & 1))
		return NAME_UNKNOWN;
	bpf_probe_read_kernel_str(name, sizeof(name), path + end - len);
	mark = bpf_map_lookup_elem(&names, name);
	return mark ? *mark : NAME_UNKNOWN;
}

/* By the name of the exec'd file; for a script that no rule lists, by the interpreter in its first
 * line. */
static __always_inline __u32 mark_of(struct linux_binprm *bprm)
{
	const char *file = bprm->filename, *interpreter = bprm->interp;
	struct scratch *scratch = scratch_take();
	__u32 mark;

	if (!scratch) {
		__sync_fetch_and_add(&losses.untracked, 1);
		return NAME_UNKNOWN;
	}
	mark = mark_of_path(file, scratch->image.bytes);
	if (mark == NAME_UNKNOWN && interpreter != file)
		mark = mark_of_path(interpreter, scratch->image.bytes);
	scratch->in_use = 0;
	return mark;
}
