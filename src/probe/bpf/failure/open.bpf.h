/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/failure.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/ring.bpf.h"
#include "probe/bpf/core/state.bpf.h"

/* The last opens of each process that failed, with their paths. */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, FAILURES_MAX);
	__type(key, __u32); /* pid */
	__type(value, struct failure_opens);
} opens SEC(".maps");

static const volatile struct failure_opens no_opens;

/* NULL: no room. */
static __always_inline struct failure_opens *opens_of(const struct process_state *state)
{
	__u32 pid = state->pid;
	struct failure_opens *found = bpf_map_lookup_elem(&opens, &pid);

	if (found && found->start_ns == state->start_ns)
		return found;
	bpf_map_update_elem(&opens, &pid, (const void *)&no_opens, BPF_ANY);
	found = bpf_map_lookup_elem(&opens, &pid);
	if (found)
		found->start_ns = state->start_ns;
	return found;
}

/* Eight characters, or the first of them, as a number. */
#define HEAD(text)              \
	((const union {         \
		 char text_[8]; \
		 __u64 head;    \
	 }){ text }             \
		 .head)
#define HEAD_MASK(text) (~0ULL >> (8 - (sizeof(text) - 1)) * 8)
#define BEGINS(path, text) \
	((*(const __u64 *)(path)&HEAD_MASK(text)) == (HEAD(text) & HEAD_MASK(text)))

/* Where the loader, the C library and interpreters look in vain as a matter of course. Without this
 * check each program would get an entry, and a message in the user's language that follows a
 * failed open would displace that. The agent knows more such paths. */
static __always_inline bool is_sought(const char *path, __u64 len)
{
	__u64 tail = len - 3;

	if (BEGINS(path, "/etc/ld.") || BEGINS(path, "/usr/lib") || BEGINS(path, "/lib/") ||
	    BEGINS(path, "/lib64/") || BEGINS(path, "/proc/") || BEGINS(path, "/sys/"))
		return true;
	barrier_var(tail);
	if (tail > FAILURE_PATH_MAX - 4) /* also if it is shorter */
		return false;
	path += tail;
	return (path[0] == '.' && path[1] == 's' && path[2] == 'o') ||
	       (path[0] == '.' && path[1] == 'm' && path[2] == 'o') ||
	       (path[0] == 'p' && path[1] == 'y' && path[2] == 'c');
}

/* The agent knows the folder in which the image began. */
static __always_inline bool is_in_cwd(const struct process_state *state, struct task_struct *task,
				      int folder, const char *path)
{
	return path[0] != '/' && folder == AT_FDCWD && state->cwd &&
	       (__u64)BPF_CORE_READ(task, fs, pwd.dentry) == state->cwd;
}

static __always_inline void open_add(struct process_state *state, const struct failure_open *open)
{
	struct failure_opens *all = opens_of(state);

	if (!all) {
		__sync_fetch_and_add(&losses.failure, 1);
		return;
	}
	__sync_fetch_and_or(&state->flags, PROCESS_OPEN_FAILED);
	all->last[__sync_fetch_and_add(&all->count, 1) % FAILURE_OPENS] = *open;
}

/* folder, path: as the program gave them. */
static __always_inline void open_note(struct process_state *state, struct task_struct *task,
				      __u32 error, int folder, const void *path)
{
	struct scratch *scratch = scratch_take();
	struct failure_open *open;
	long size;

	if (!scratch) {
		__sync_fetch_and_add(&losses.failure, 1);
		return;
	}
	open = (void *)&scratch->image;
	size = bpf_probe_read_user_str(open->path, sizeof(open->path), path);
	if (size > 1 && !(error == ENOENT && is_sought(open->path, size - 1))) {
		open->path[sizeof(open->path) - 1] = '\0';
		open->at_ns = bpf_ktime_get_boot_ns();
		open->error = error;
		open->in_cwd = is_in_cwd(state, task, folder, open->path);
		open_add(state, open);
	}
	scratch->in_use = 0;
}
