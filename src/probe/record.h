#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the probe tells of processes. */

/* Cumulative figures as the kernel counts them (task_struct, signal_struct, mm_struct; which field:
 * process.bpf.c), of one program image: what came before its exec is cut off. */
struct probe_figures {
	uint64_t user_ns, kernel_ns; /* se.sum_exec_runtime split as utime : stime */
	uint64_t runnable_ns;
	uint64_t minor_faults, major_faults;
	uint64_t ctx_voluntary, ctx_involuntary;
	uint64_t read_chars_bytes, write_chars_bytes;
	uint64_t disk_read_bytes, disk_write_bytes;
	uint64_t rss_bytes, rss_peak_bytes;
	uint64_t threads, threads_peak;
	bool peak_exact;
	bool baseline_known; /* false: found at start, may hold what earlier images of the process
				consumed */
};

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
	uint32_t uid;
	uint64_t cgroup_id; /* of the memory controller's hierarchy where v1 has one, else v2 */
	uint64_t pid_ns, mnt_ns;
	bool replaced; /* an image of the same process ended here, with these figures: */
	uint64_t replaced_image_seq;
	struct probe_figures replaced_figures;
	bool found; /* by probe_scan: was running already */
};

struct probe_exit { /* the last thread of a process has gone */
	struct probe_key key;
	uint64_t at_ns;
	uint64_t image_seq;
	int exit_code; /* 0..255, of the process as wait() would give it */
	int signal;    /* 0: exited */
	bool core_dumped;
	struct probe_figures figures;
};

/* Comes only where the kernel went on counting after the exit record (tearing down a large address
 * space): the final figures, at the latest when the process is reaped. */
struct probe_residual {
	struct probe_key key;
	uint64_t image_seq;
	struct probe_figures figures;
};

struct probe_alive { /* one live tracked process, from probe_sample */
	struct probe_key key;
	uint64_t image_seq;
	uint32_t uid;
	uint64_t cgroup_id;
	struct probe_figures figures;
};
