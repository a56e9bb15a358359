/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/loop.bpf.h"

/* A walk up a path by reads, one step of a loop at a time. */

/* The output of a walk: PROCESS_PATH_MAX bytes at bytes. The length is in memory, where the
 * verifier does not track it: otherwise each step of a loop would be a new state. */
struct path_out {
	char *bytes;
	volatile __u16 *len;
	__u8 *cut;
};

struct path_walk {
	struct vfsmount *mnt;
	struct dentry *dentry, *root;
};

/* Adds one part. false: no room, or not readable. */
static __always_inline bool path_part(struct path_out *out, const unsigned char *name)
{
	__u64 len = *out->len;
	long n;

	barrier_var(len);
	if (len > PROCESS_PATH_MAX - PROCESS_PART_MAX)
		return false;
	n = bpf_probe_read_kernel_str(out->bytes + len, PROCESS_PART_MAX, name);
	if (n <= 0)
		return false;
	*out->len = len + n;
	return true;
}

/* Goes from the root of a mount to its mount point. false: it is the topmost mount. */
static __always_inline bool path_cross(struct path_walk *walk)
{
	struct mount *mount = (void *)walk->mnt - bpf_core_field_offset(struct mount, mnt);
	struct mount *parent = BPF_CORE_READ(mount, mnt_parent);
	struct vfsmount *mnt = (void *)parent + bpf_core_field_offset(struct mount, mnt);

	if (!parent || parent == mount)
		return false;
	walk->mnt = mnt;
	walk->dentry = BPF_CORE_READ(mount, mnt_mountpoint);
	walk->root = BPF_CORE_READ(mnt, mnt_root);
	return true;
}

struct path_reading {
	struct path_out out;
	struct path_walk walk;
	bool whole;
};

static long path_step(__u32 i, struct path_reading *reading)
{
	struct path_walk *walk = &reading->walk;
	struct dentry *at = walk->dentry, *parent;

	if (at == walk->root) {
		reading->whole = !path_cross(walk);
		return reading->whole;
	}
	parent = BPF_CORE_READ(at, d_parent);
	reading->whole = parent == at;
	if (reading->whole || !path_part(&reading->out, BPF_CORE_READ(at, d_name.name)))
		return 1;
	walk->dentry = parent;
	return 0;
}

/* Walks without typed pointers: each read is a call of a helper. */
static __always_inline void path_read(struct path_out *out, struct path_walk walk)
{
	struct path_reading reading = { *out, walk, false };

	LOOP(PROCESS_PATH_PARTS, path_step, &reading);
	if (!reading.whole)
		*out->cut = 1;
}
