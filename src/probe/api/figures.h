/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* The figures of one program image, cumulative since its exec, as the kernel counts them in
 * task_struct, signal_struct and mm_struct (counts.bpf.h names the fields). *_ns: nanoseconds. */
struct probe_figures {
	uint64_t user_ns, kernel_ns; /* se.sum_exec_runtime, divided as utime : stime */
	uint64_t runnable_ns;        /* ready to run without a CPU */
	/* Why threads waited (abi/wait.h). A wait that has not ended is counted up to now. */
	uint64_t disk_ns, paging_ns, network_ns, pipe_read_ns, pipe_write_ns, lock_ns, child_ns,
		sleep_ns, poll_ns, other_ns;
	uint64_t threads_ns; /* life time of all threads: the sum of all times above */
	uint64_t disk_shared_ns, disk_fuse_ns; /* of disk_ns: on network file systems, on FUSE */
	uint64_t poll_network_ns, poll_pipe_ns, poll_timer_ns; /* of poll_ns: what ended it */
	/* Wall time (abi/wall.h): each instant of the image's life is in one class. */
	uint64_t wall_computing_ns, wall_runnable_ns, wall_disk_ns, wall_paging_ns, wall_network_ns,
		wall_pipe_read_ns, wall_pipe_write_ns, wall_lock_ns, wall_child_ns, wall_sleep_ns,
		wall_poll_ns, wall_other_ns;
	uint64_t wall_serial_ns; /* of wall_computing_ns: exactly one thread was on a CPU */
	uint64_t minor_faults, major_faults;
	uint64_t ctx_voluntary, ctx_involuntary;
	uint64_t read_chars_bytes, write_chars_bytes;
	uint64_t disk_read_bytes, disk_write_bytes;
	/* Through sockets (abi/network.h): IPv4 and IPv6 with other hosts, with this host, UNIX. */
	uint64_t net_rx_bytes, net_tx_bytes, net_loopback_rx_bytes, net_loopback_tx_bytes,
		net_unix_rx_bytes, net_unix_tx_bytes;
	uint64_t net_connects, net_accepts, net_connect_failures, net_resets, net_retransmits;
	uint64_t net_connect_ns; /* time that successful connects took */
	uint64_t files_opened;   /* descriptors that were closed or are still open */
	uint64_t files_failed;   /* failed opens */
	uint64_t rss_bytes, rss_peak_bytes;
	uint64_t rss_anon_bytes, rss_file_bytes, rss_shmem_bytes; /* the parts of rss_bytes */
	uint64_t swap_bytes;                                      /* swapped out */
	uint64_t threads, threads_peak;
	/* Never set by the probe; the agent's GPU reader sets them (collect/gpu). */
	uint64_t gpu_busy_ns, gpu_memory_bytes, gpu_memory_peak_bytes;
	bool ended; /* the image has ended: its wall time is final */
	bool peak_exact;
	bool baseline_known; /* false: the process was found running, and the figures may contain
				what its earlier images consumed */
};
