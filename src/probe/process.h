#pragma once
#include <linux/types.h>

#include "process_state.h"

/*
 * The records that the process programs send, in the host's byte order.
 */
#define PROCESS_ARGV_MAX   32768 /* bytes of argv that are sent; more is counted, not sent */
#define PROCESS_PATH_MAX   4096  /* bytes of one path, as parts */
#define PROCESS_PATH_PARTS 64    /* parts (and mounts) of one path; of a deeper one the last ones */
#define PROCESS_PART_MAX   256   /* NAME_MAX and its NUL */
#define PROCESS_NAME_SIZE  64    /* a basename that begins tracking, and its NUL */
#define PROCESS_CPUS_MAX   1024

/* Most names that are not listed differ from all that are in these three already: a bit for each
 * spares the search. */
#define PROCESS_NAME_BITS 4096
#define PROCESS_NAME_BIT(len, first, last) \
	((((len)*31U + (unsigned char)(first)) * 31U + (unsigned char)(last)) % PROCESS_NAME_BITS)

/* The run queues' clock against the boot-time clock: at at_ns it is behind by offset_ns, and falls
 * behind by drift / 2^20 more as time goes. */
struct process_clock {
	__u64 at_ns;
	__u64 offset_ns; /* 0: not known */
	__s64 drift;
};

#define PROCESS_CLOCK_SHIFT 20

enum process_kind {
	PROCESS_FORK = 1,
	PROCESS_IMAGE,
	PROCESS_EXIT,
	PROCESS_RESIDUAL,
	PROCESS_KINDS
};

struct process_head {
	__u32 kind; /* enum process_kind */
	__u32 pid;
	__u64 start_ns;
	__u64 at_ns;     /* boot-time clock */
	__u64 image_seq; /* self_exec_id */
	__u64 cgroup_id; /* kernfs id; of the memory controller where it is on v1 */
	__u32 uid;       /* real_cred->uid */
	__u32 unused;
};

/* Of one image: counts are less its base. */
struct process_consumed {
	struct process_counts counts;
	__u64 rss_pages, peak_pages;
	__u32 threads, threads_peak;
	__u32 peak_exact, base_known;
};

struct process_fork_record {
	struct process_head head;
	struct process_birth birth;
};

struct process_image_record {
	struct process_head head;
	struct process_birth birth;
	__u32 pid_ns, mnt_ns; /* inode numbers */
	__u64 replaced_image_seq;
	struct process_consumed consumed; /* by the image replaced */
	__u32 replaced;                   /* an image of the same process ended here */
	__u32 argv_len, argv_missing_bytes;
	__u16 exe_len, cwd_len; /* the parts of a path, the last first, each NUL-terminated */
	__u8 exe_cut, cwd_cut;  /* parts before the first are missing */
	__u8 unused[6];
	char bytes[2 * PROCESS_PATH_MAX + PROCESS_ARGV_MAX]; /* exe, cwd, argv */
};

struct process_exit_record { /* also the residual */
	struct process_head head;
	struct process_birth birth;
	__u32 code; /* as wait() gives it */
	__u32 unused;
	struct process_consumed consumed;
};

/* One line of the iterators: a thread. That of the leader bears the process. */
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
	__u64 fork, image, exit, residual, untracked;
};
