#pragma once
#include <linux/types.h>

/*
 * What both sides of the process programs share: the state that the kernel side keeps with each
 * tracked process, and the records that it sends. All numbers are of the host's byte order.
 */
#define PROCESS_ARGV_MAX   32768 /* bytes of argv that are sent; more is counted, not sent */
#define PROCESS_PATH_MAX   4096  /* bytes of one path, as parts */
#define PROCESS_PATH_PARTS 64    /* parts of one path; of a deeper one the last parts are sent */
#define PROCESS_PART_MAX   256   /* NAME_MAX and its NUL */
#define PROCESS_NAME_SIZE  64    /* a basename that begins tracking, and its NUL */
#define PROCESS_CPUS_MAX   1024

/* Sums that only grow, of a thread, of the threads that died, or of a process. */
struct process_counts {
	__u64 cpu_ns;     /* se.sum_exec_runtime and what has run since exec_start;
			     signal->sum_sched_runtime */
	__u64 user_ticks; /* utime, stime, ns: counted by ticks, good for how cpu_ns divides */
	__u64 kernel_ticks;
	__u64 runnable_ns;                /* sched_info.run_delay; of dead threads only kept here */
	__u64 minor_faults, major_faults; /* min_flt, maj_flt */
	__u64 ctx_voluntary, ctx_involuntary;      /* nvcsw, nivcsw */
	__u64 read_chars_bytes, write_chars_bytes; /* ioac.rchar, ioac.wchar */
	__u64 disk_read_bytes, disk_write_bytes;   /* ioac.read_bytes, ioac.write_bytes */
};

enum process_flag {
	PROCESS_FOUND = 1,        /* was there before the programs were; not reported yet */
	PROCESS_BASE_UNKNOWN = 2, /* base may hold what earlier images consumed */
	PROCESS_MM_SHARED = 4,    /* runs in its parent's memory (vfork) until it execs */
	PROCESS_ENDED = 8,        /* the exit record was made */
	PROCESS_LEADER_GONE = 16, /* the leader's own counts stand in dead */
};

/* Kept in task-local storage of the thread group's leader; survives the agent when pinned. */
struct process_state {
	__u64 session;   /* which agent wrote it last; another one refreshes it first */
	__u64 image_seq; /* self_exec_id */
	__u32 flags;     /* enum process_flag */
	__s32 threads;   /* alive */
	__u32 threads_peak;
	__u32 unused;
	__u64 peak_pages; /* of the image's memory, where it was read before it went; 0: not read */
	__u64 base_maxrss;          /* signal->maxrss at exec, pages */
	__u64 sent_cpu_ns;          /* what the exit record said */
	struct process_counts base; /* of the process when this image began */
	struct process_counts dead; /* of threads that ended */
};

enum process_kind {
	PROCESS_KIND_FORK = 1,
	PROCESS_KIND_IMAGE,
	PROCESS_KIND_EXIT,
	PROCESS_KIND_RESIDUAL,
	PROCESS_KIND_COUNT,
};

struct process_head {
	__u32 kind;     /* enum process_kind */
	__u32 pid;      /* tgid in the initial pid namespace */
	__u64 start_ns; /* start_boottime of the leader */
	__u64 at_ns;    /* boot-time clock */
	__u64 image_seq;
};

/* Of one image: counts are already less its base. */
struct process_consumed {
	struct process_counts counts;
	__u64 rss_pages, peak_pages;
	__u32 threads, threads_peak;
	__u32 peak_exact;
	__u32 base_known;
};

struct process_fork_record {
	struct process_head head;
	__u64 parent_start_ns;
	__u64 cgroup_id;
	__u32 parent_pid;
	__u32 uid;
};

struct process_image_record {
	struct process_head head;
	__u64 parent_start_ns;
	__u64 cgroup_id; /* kernfs id; of the memory controller where it is on v1 */
	__u32 parent_pid;
	__u32 uid;            /* real_cred->uid */
	__u32 pid_ns, mnt_ns; /* inode numbers */
	__u32 replaced;       /* an image of the same process ended here */
	__u32 argv_missing_bytes;
	__u64 replaced_image_seq;
	struct process_consumed consumed; /* by the image replaced */
	/* Of bytes: the parts of the exe's path from the last to the first, each NUL-terminated;
	 * those of cwd; argv as it stands in memory. _cut: parts before the first are missing. */
	__u16 exe_len, cwd_len;
	__u8 exe_cut, cwd_cut;
	__u16 unused;
	__u32 argv_len;
	__u32 unused2;
	char bytes[2 * PROCESS_PATH_MAX + PROCESS_ARGV_MAX];
};

struct process_exit_record { /* also the residual */
	struct process_head head;
	__u32 code; /* as wait() gives it */
	__u32 unused;
	struct process_consumed consumed;
};

/* One line of the iterator: a thread. That of the leader bears the process. */
struct process_alive_record {
	__u32 pid;
	__u32 leader;
	__u32 alone; /* the only thread: nothing to add up */
	__u32 uid;
	__u32 parent_pid;
	__u32 found; /* not reported yet */
	__u64 start_ns, parent_start_ns;
	__u64 image_seq;
	__u64 cgroup_id;
	__u32 pid_ns, mnt_ns;
	struct process_consumed consumed;
};

struct process_losses {
	__u64 fork, image, exit, residual, untracked;
};

#ifndef __bpf__
#include <stddef.h>

struct probe_handler;
struct probe_figures;
struct process_decoder;

/* Decoding needs room for texts: kept from record to record. NULL only without memory. */
struct process_decoder *process_decoder_new(unsigned page_shift);
/* NULL is fine. */
void process_decoder_free(struct process_decoder *decoder);
/* Calls the handler's function for one record of the ring. -EBADMSG: the bytes are no such record
 * (a length that does not fit, an unknown kind); -ENOMEM. Nothing is called then. */
int process_decode(struct process_decoder *decoder, const void *bytes, size_t size,
		   const struct probe_handler *handler);
/* cpu_ns is divided as the ticks are; all of it is user_ns where there were none (as the kernel's
 * cputime_adjust does). */
void process_figures(struct probe_figures *ret, const struct process_consumed *consumed,
		     unsigned page_shift);
#endif
