/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/api/figures.h"

/* What the probe tells of processes. */

struct probe_key {
	uint32_t pid;
	uint64_t start_ns; /* boot-time clock: task_struct.start_boottime of the leader */
};

/* A new process (not a thread) of a tracked one. Told before anything else of it and of its
 * children, but only when there is something: its exec, its own fork, its exit, or the next
 * probe_sample. */
struct probe_fork {
	struct probe_key key, parent;
	uint64_t at_ns; /* boot-time clock, as all *_ns instants here */
	uint64_t image_seq;
	uint32_t uid;
	uint64_t cgroup_id;
};

struct probe_image { /* what runs in a process since an exec */
	struct probe_key key, parent;
	uint64_t at_ns;
	uint64_t image_seq; /* task_struct.self_exec_id: grows with each exec, survives a restart of
			       the agent */
	const char *exe;    /* absolute path in its mount namespace; " (deleted)" is not added */
	const char *cwd;
	const char *const *argv; /* argc texts; a NULL follows */
	size_t argc;
	uint32_t argv_missing_bytes; /* cut beyond 32 KiB */
	uint32_t parent_tid;         /* the parent's thread that forked; 0: not seen */
	uint32_t uid;
	uint64_t cgroup_id; /* of the memory controller's hierarchy where v1 has one, else v2 */
	uint64_t pid_ns, mnt_ns;
	uint32_t pipes[2]; /* inode numbers of those behind descriptors 0 and 1; 0: none, or the
			      parent has the same there */
	bool replaced;     /* an image of the same process ended here, with these figures: */
	uint64_t replaced_image_seq;
	struct probe_figures replaced_figures;
	bool found; /* by probe_scan: was running already */
};

/* The signal that ends a process; told just before its exit, where the probe saw it sent. Texts
 * live for the call. */
struct probe_kill {
	struct probe_key key;
	int signal;
	int code;                /* si_code: above 0 the kernel's own doing, else a process's */
	uint64_t address;        /* of a fault; else 0 */
	struct probe_key sender; /* whom code ≤ 0 means; of `oom` who asked for memory */
	uint32_t sender_uid;
	const char *sender_comm;
	bool oom; /* the kernel's choice because memory ran out */
	uint64_t limit_bytes,
		used_bytes;   /* of the full cgroup; 0: none was, the host had no more */
	uint32_t limit_level; /* parts of that cgroup's path, which is above the process's */
	int oom_score_adj;
};

/* Execs of a process that failed, none after them that did not; told just before its exit. */
struct probe_attempt {
	struct probe_key key;
	uint32_t count;
	int error; /* errno of the most telling one */
	const char
		*path; /* as it was asked for, cut at 255 bytes; "": by descriptor, or unreadable */
};

/* A folder that a process made, of the shape that an engine gives a task's: "/ab/", 30 more. */
struct probe_folder {
	struct probe_key key;
	uint64_t at_ns;
	const char *path; /* as it was asked for */
};

struct probe_exit { /* the last thread of a process has gone, or it is tracked no more */
	struct probe_key key;
	uint64_t at_ns;
	uint64_t image_seq;
	int exit_code; /* 0..255, of the process as wait() would give it */
	int signal;    /* 0: exited */
	bool core_dumped;
	bool exec_excluded; /* the process is alive, and exec'd an excluded program: tracking ends
			     */
	struct probe_figures figures;
};

/* Comes only where the kernel went on counting after the exit record (tearing down a large address
 * space): the final figures, at the latest when the process is reaped. */
struct probe_residual {
	struct probe_key key;
	uint64_t image_seq;
	struct probe_figures figures;
};

#define PROBE_CGROUP_PATH 256

struct probe_cgroup { /* of the tree that cgroup_id is of */
	uint64_t id;
	uint64_t made_ns;             /* 0: told is only its end */
	uint64_t gone_ns;             /* 0: it is there */
	uint64_t memory_peak_bytes;   /* of one that is gone; 0: the controller did not count it */
	char path[PROBE_CGROUP_PATH]; /* "": not told */
};

struct probe_alive { /* one live tracked process, from probe_sample */
	struct probe_key key;
	uint64_t image_seq;
	uint32_t uid;
	uint64_t cgroup_id;
	struct probe_figures figures;
};
