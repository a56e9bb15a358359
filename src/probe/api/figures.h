/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Cumulative figures as the kernel counts them (task_struct, signal_struct, mm_struct; which field:
 * process.bpf.c), of one program image: what came before its exec is cut off. */
struct probe_figures {
	uint64_t user_ns, kernel_ns; /* se.sum_exec_runtime split as utime : stime */
	uint64_t runnable_ns;
	/* Why threads waited (wait.h); what runs now and began to wait is counted so far. */
	uint64_t disk_ns, paging_ns, network_ns, pipe_read_ns, pipe_write_ns, lock_ns, child_ns,
		sleep_ns, poll_ns, other_ns;
	uint64_t threads_ns; /* the lives of its threads, which all of the above should add up to */
	uint64_t disk_shared_ns, disk_fuse_ns; /* of disk_ns: on network file systems, on FUSE */
	uint64_t poll_network_ns, poll_pipe_ns, poll_timer_ns; /* of poll_ns: what ended it */
	uint64_t minor_faults, major_faults;
	uint64_t ctx_voluntary, ctx_involuntary;
	uint64_t read_chars_bytes, write_chars_bytes;
	uint64_t disk_read_bytes, disk_write_bytes;
	/* Through sockets (network.h): IPv4 and IPv6 with other hosts, with this one, UNIX. */
	uint64_t net_rx_bytes, net_tx_bytes, net_loopback_rx_bytes, net_loopback_tx_bytes,
		net_unix_rx_bytes, net_unix_tx_bytes;
	uint64_t net_connects, net_accepts, net_connect_failures, net_resets, net_retransmits;
	uint64_t net_connect_ns;             /* the time that its connects took */
	uint64_t files_opened, files_failed; /* descriptors that went or are held; failed opens */
	uint64_t rss_bytes, rss_peak_bytes;
	uint64_t rss_anon_bytes, rss_file_bytes, rss_shmem_bytes; /* what rss_bytes consists of */
	uint64_t swap_bytes;                                      /* swapped out */
	uint64_t threads, threads_peak;
	/* Never set by the probe: collect/gpu.h tells them. */
	uint64_t gpu_busy_ns, gpu_memory_bytes, gpu_memory_peak_bytes;
	bool peak_exact;
	bool baseline_known; /* false: found at start, may hold what earlier images of the process
				consumed */
};
