#pragma once
#include <linux/types.h>

/*
 * What both sides of the process programs share: the state that the kernel side keeps of each
 * tracked process, and the records that it sends, in the host's byte order.
 */
#define PROCESS_ARGV_MAX   32768 /* bytes of argv that are sent; more is counted, not sent */
#define PROCESS_PATH_MAX   4096  /* bytes of one path, as parts */
#define PROCESS_PATH_PARTS 64    /* parts (and mounts) of one path; of a deeper one the last ones */
#define PROCESS_PART_MAX   256   /* NAME_MAX and its NUL */
#define PROCESS_NAME_SIZE  64    /* a basename that begins tracking, and its NUL */
#define PROCESS_CPUS_MAX   1024
#define PROCESS_COUNT_MAX  65536 /* tracked at one time */

/* Sums that only grow: of a thread, of the threads that ended, of a process, of an image. */
struct process_counts {
	__u64 cpu_ns;                     /* se.sum_exec_runtime and what ran since exec_start */
	__u64 user_ticks, kernel_ticks;   /* utime, stime, ns: by ticks; how cpu_ns divides */
	__u64 runnable_ns;                /* sched_info.run_delay; the kernel keeps no sum of it */
	__u64 minor_faults, major_faults; /* min_flt, maj_flt */
	__u64 ctx_voluntary, ctx_involuntary;      /* nvcsw, nivcsw */
	__u64 read_chars_bytes, write_chars_bytes; /* ioac.rchar, ioac.wchar */
	__u64 disk_read_bytes, disk_write_bytes;   /* ioac.read_bytes, ioac.write_bytes */
};

enum process_flag {
	PROCESS_FOUND = 1,        /* was there before the programs were; not reported yet */
	PROCESS_BASE_UNKNOWN = 2, /* base lacks what earlier images consumed */
	PROCESS_MM_SHARED = 4,    /* runs in its parent's memory (vfork) until it execs */
	PROCESS_ENDED = 8,        /* the exit record was made */
	PROCESS_UNBORN = 16,      /* forked, and no record has said so yet */
};

struct process_birth {
	__u64 at_ns;
	__u64 parent_start_ns;
	__u32 parent_pid; /* tgid in the initial pid namespace, as every pid here */
	__u32 unborn;     /* in a record: nothing said before that this process was forked */
};

/* Kept by process id; valid while start_ns is that of the process. Survives the agent if pinned. */
struct process_state {
	__u64 start_ns; /* start_boottime of the leader */
	__u64 session;  /* which agent wrote it last; another one refreshes it first */
	__u64 image_seq;
	struct process_birth birth;
	__u32 flags;   /* enum process_flag */
	__s32 threads; /* alive */
	__u32 threads_peak;
	__u32 unused;
	__u64 peak_pages; /* of the image's memory, where it was read before it went; 0: not read */
	__u64 base_maxrss;          /* signal->maxrss at exec, pages */
	__u64 sent_cpu_ns;          /* what the exit record said */
	struct process_counts base; /* of the process when this image began */
	struct process_counts dead; /* of threads that ended */
};

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
