/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/types.h>

#include "probe/abi/consumed.h"
#include "probe/abi/failure.h"
#include "probe/abi/network.h"
#include "probe/abi/file.h"
#include "probe/abi/io.h"
#include "probe/abi/process_head.h"
#include "probe/abi/process_state.h"
#include "probe/abi/syscall.h"

/*
 * The records that the process programs send, in the host's byte order.
 */
#define PROCESS_ARGV_MAX   32768 /* bytes of argv that are sent; more is counted, not sent */
#define PROCESS_PATH_MAX   4096  /* bytes of one path, as parts */
#define PROCESS_PATH_PARTS 64    /* parts (and mounts) of one path; of a deeper one the last ones */
#define PROCESS_PART_MAX   256   /* NAME_MAX and its NUL */
#define PROCESS_NAME_SIZE  64    /* a basename that begins tracking, and its NUL */
#define PROCESS_CPUS_MAX   1024

/* A Bloom filter over the names: most programs that are not listed need no search of the map. */
#define PROCESS_NAME_BITS 4096
#define PROCESS_NAME_BIT(len, first, last) \
	((((len)*31U + (unsigned char)(first)) * 31U + (unsigned char)(last)) % PROCESS_NAME_BITS)

enum name_mark { NAME_UNKNOWN, NAME_TRACKED, NAME_EXCLUDED };

#define PROCESS_EXCLUDED_MAX 8192 /* live excluded processes */

/* A value in `roots`: start_ns of a process found running, and these bits: */
#define ROOT_EXCLUDED (1ULL << 63) /* its program is excluded */
#define ROOT_NAMED    (1ULL << 62) /* its program begins tracking, whatever started it */

struct process_fork_record {
	struct process_head head;
	struct process_birth birth;
};

struct process_image_record {
	struct process_head head;
	struct process_birth birth;
	__u32 pid_ns, mnt_ns, pipes[2]; /* inode numbers; pipes: see probe_image */
	__u64 replaced_image_seq;
	struct process_consumed consumed; /* by the image replaced */
	__u32 replaced;                   /* an image of the same process ended here */
	__u32 argv_len, argv_missing_bytes;
	__u16 exe_len, cwd_len; /* the parts of a path, the last first, each NUL-terminated */
	__u8 exe_cut, cwd_cut;  /* parts before the first are missing */
	__u8 unused[6];
	char bytes[2 * PROCESS_PATH_MAX + PROCESS_ARGV_MAX]; /* exe, cwd, argv */
};

struct process_exit_record { /* also the residual, and the end of tracking */
	struct process_head head;
	struct process_birth birth;
	__u32 code;     /* as wait() gives it */
	__u32 pipes[2]; /* inode numbers: see probe_exit */
	__u32 unused;
	struct process_consumed consumed;
};

/* These precede an exit record, if the process was signalled, or an exec or open failed. */
struct process_kill_record {
	struct process_head head;
	struct failure_kill kill;
};

struct process_attempt_record {
	struct process_head head;
	struct failure_attempt attempt;
};

struct process_opens_record {
	struct process_head head;
	struct failure_opens opens;
};

/* The counts of an image for one kind of traffic; sent before the record that ends the image. */
struct process_network_record {
	struct process_head head; /* cgroup_id, uid: 0 */
	__u32 flow;               /* enum network_flow */
	__u32 replaced;           /* the image ends by an exec */
	struct network_counts counts;
	struct network_peer peer;
	__u32 unused;
};

struct process_file_record {
	struct process_head head;
	struct file_record file;
};

struct process_io_record {
	struct process_head head; /* at_ns, cgroup_id, uid: 0 */
	struct io_record io;
};

/* One record of the iterators: a thread. The leader's has the values of its process. */
struct process_alive_record {
	struct process_head head; /* kind, at_ns: 0 */
	struct process_birth birth;
	__u32 pid_ns, mnt_ns;
	__u32 leader, alone; /* alone: the only thread, nothing to add up */
	__u32 found;         /* not reported yet */
	__u32 unused;
	struct process_consumed consumed;
};

struct process_losses {
	__u64 fork, image, exit, residual, untracked, failure, network, file, io, syscall;
};
