#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * The one face of the kernel side. One owner, one thread, no hidden threads: the caller waits on
 * probe_fd(), calls probe_poll(), and once a second probe_sample(). Records come in the order in
 * which the kernel made them. Whatever the kernel could not hand over is counted (probe_losses),
 * never silent.
 */
struct probe;

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

struct probe_fork { /* a new process (not a thread) of a tracked one */
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

/* What probe_poll, probe_scan and probe_sample call; all texts and pointers live only for the call.
 * A NULL member is not called. */
struct probe_handler {
	void (*on_fork)(void *context, const struct probe_fork *fork);
	void (*on_image)(void *context, const struct probe_image *image);
	void (*on_exit)(void *context, const struct probe_exit *exit);
	void (*on_residual)(void *context, const struct probe_residual *residual);
	void (*on_alive)(void *context, const struct probe_alive *alive);
	void *context;
};

struct probe_options {
	size_t ring_bytes;        /* 0: 4 MiB; rounded up to a power of two */
	const char *const *names; /* basenames (of file or script) that begin tracking at exec; ≤
				     PROBE_NAMES_MAX, ≤ 63 bytes each */
	size_t name_count;
	bool track_all;         /* every exec begins tracking */
	const char *pin_folder; /* bpffs folder for state that survives a restart; NULL: none */
};

/* Loads and attaches. Words say what is missing and what to do (not root, no BTF, kernel too old,
 * lockdown). */
int probe_open(struct probe **ret, const struct probe_options *options,
	       const struct probe_handler *handler, struct error *err);
/* Detaches and frees. NULL is fine. keep_pins: leave the pinned state for a successor (a restart),
 * else remove it. */
void probe_close(struct probe *probe, bool keep_pins);

#define PROBE_NAMES_MAX 4096
/* Other names begin tracking from now on; what is tracked stays so. -EINVAL (nothing is changed)
 * with words: too many, or one that is empty or too long. */
int probe_set_names(struct probe *probe, const char *const *names, size_t count, struct error *err);

/* Readable when records wait beyond the wake-up threshold; poll at least every 100 ms besides. */
int probe_fd(const struct probe *probe);
/* Drains what is there, at most `limit` records (0: all). Returns their number or -errno. */
int probe_poll(struct probe *probe, size_t limit);
/* Finds what runs already (basename of exe, script or, of interpreters, as in names) with all
 * descendants, begins tracking it in the kernel without a gap, and reports each as on_image with
 * found = true. Call once after probe_open. */
int probe_scan(struct probe *probe);
/* Reads all live tracked processes: on_alive for each. Returns their number or -errno. */
int probe_sample(struct probe *probe);

struct probe_losses {                         /* cumulative since probe_open */
	uint64_t fork, image, exit, residual; /* records that found the ring full */
	uint64_t untracked;                   /* processes whose tracking state could not be made */
};
int probe_losses(struct probe *probe, struct probe_losses *ret);
/* Bytes of kernel memory of all maps, as declared. */
uint64_t probe_map_bytes(const struct probe *probe);

/* What this kernel offers: for doctor. One line a need. */
struct probe_need {
	const char *what; /* "root or CAP_BPF + CAP_PERFMON", "kernel BTF",
			     "tp_btf/sched_process_exit", "bpffs" … */
	bool met, required;
	char detail[160]; /* what was found */
	const char *cure; /* what to do; "" where met */
};
/* Fills up to cap needs, returns how many. Changes nothing. */
size_t probe_needs(struct probe_need *needs, size_t cap);
