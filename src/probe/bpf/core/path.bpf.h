/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/path_walk.bpf.h"

/* Paths from dentries. */

/* Continues above the root of the first mount, where no pointer is typed. */
static __always_inline void path_above(struct path_out *out, struct vfsmount *mnt)
{
	struct path_walk walk = { .mnt = mnt };

	if (path_cross(&walk))
		path_read(out, walk);
}

/* Writes the parts of a path, the last first, each with its NUL. cut: the first parts did not fit.
 */
static __always_inline void path_parts(struct path_out *out, struct vfsmount *mnt,
				       struct dentry *dentry)
{
	struct dentry *root = mnt->mnt_root;

	*out->len = 0;
	*out->cut = 0;
	for (int i = 0; i < PROCESS_PATH_PARTS; i++) {
		struct dentry *parent;

		if (dentry == root) {
			path_above(out, mnt);
			return;
		}
		parent = dentry->d_parent;
		if (parent == dentry)
			return;
		if (!path_part(out, dentry->d_name.name))
			break;
		dentry = parent;
	}
	*out->cut = 1;
}
