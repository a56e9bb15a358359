/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/api/figures.h"

/* The records of processes and cgroups. *_ns instants are of the boot-time clock. */

struct probe_key {
	uint32_t pid;
	uint64_t start_ns; /* task_struct.start_boottime of the leader */
};

/* A new process (not a thread) of a tracked one. It precedes all other records of the process and
 * of its children, but is sent only with the first of: its exec, its own fork, its exit, the next
 * probe_sample. */
struct probe_fork {
	struct probe_key key, parent;
	uint64_t at_ns;
	uint64_t image_seq;
	uint32_t uid;
	uint64_t cgroup_id;
};

struct probe_image { /* the program that a process runs since an exec */
	struct probe_key key, parent;
	uint64_t at_ns;
	uint64_t image_seq; /* task_struct.self_exec_id: grows with each exec, survives a restart of
			       the agent */
	const char *exe;    /* absolute path in its mount namespace, without " (deleted)" */
	const char *cwd;
	const char *const *argv; /* argc texts; a NULL follows */
	size_t argc;
	uint32_t argv_missing_bytes; /* cut beyond 32 KiB */
	uint32_t parent_tid;         /* the parent's thread that forked; 0: not seen */
	uint32_t uid;
	uint64_t cgroup_id; /* of the memory controller's hierarchy if v1 has one, else of v2 */
	uint64_t pid_ns, mnt_ns;
	uint32_t pipes[2]; /* inode numbers of the pipes at descriptor 0, and at 1 or else 2; 0:
			      there is none, or the parent has the same pipe there */
	bool replaced;     /* an image of the same process ended here, with these figures: */
	uint64_t replaced_image_seq;
	struct probe_figures replaced_figures;
	bool found; /* by probe_scan or probe_adopt: it was running already */
};

/* The signal that ends a process, or the last one that it was sent, if it answers by ending with
 * 128 + it. It precedes the exit record, if the probe saw the signal sent. */
struct probe_kill {
	struct probe_key key;
	int signal;
	int code;         /* si_code: above 0 sent by the kernel, else by a process */
	uint64_t address; /* of a fault; else 0 */
	struct probe_key
		sender; /* the process that sent it; with `oom` the one that needed memory */
	uint32_t sender_uid;
	const char *sender_comm;
	bool oom; /* chosen by the kernel because memory ran out */
	uint64_t limit_bytes,
		used_bytes; /* of the full cgroup; 0: none was full, the host had no more memory */
	uint32_t limit_level; /* depth of that cgroup: of the process or above it */
	int oom_score_adj;
};

/* Failed execs of a process since its last exec. It precedes the exit record. */
struct probe_attempt {
	struct probe_key key;
	uint32_t count;
	int error;        /* errno; ENOENT of a search along PATH yields to any other */
	const char *path; /* as the program gave it, cut at 255 bytes; "": by descriptor, or
			     unreadable */
};

/* A folder that a process made, with a path like those that engines give to tasks: it ends in
 * "/ab/" and 30 more characters. */
struct probe_folder {
	struct probe_key key;
	uint64_t at_ns;
	const char *path; /* as the program gave it */
};

struct probe_exit { /* the last thread of a process ended, or tracking ended */
	struct probe_key key;
	uint64_t at_ns;
	uint64_t image_seq;
	int exit_code; /* 0..255, of the process as wait() gives it */
	int signal;    /* 0: exited */
	bool core_dumped;
	bool exec_excluded; /* the process is alive, and exec'd an excluded program */
	uint32_t pipes[2];  /* as in probe_image, of a process that never exec'd; else 0 */
	struct probe_figures figures;
};

/* The final figures, at the latest when the process is reaped. Sent only if the kernel went on
 * counting after the exit record (it tore down a large address space). */
struct probe_residual {
	struct probe_key key;
	uint64_t image_seq;
	struct probe_figures figures;
};

#define PROBE_CGROUP_PATH 256

struct probe_cgroup { /* of the hierarchy that cgroup_id belongs to */
	uint64_t id;
	uint64_t made_ns;             /* 0: the record reports its end only */
	uint64_t gone_ns;             /* 0: it exists */
	uint64_t memory_peak_bytes;   /* when it was removed; 0: the controller did not count it */
	char path[PROBE_CGROUP_PATH]; /* "": not in this record, or too long */
};

struct probe_alive { /* one live tracked process, from probe_sample */
	struct probe_key key;
	uint64_t image_seq;
	uint32_t uid;
	uint64_t cgroup_id;
	struct probe_figures figures;
};
