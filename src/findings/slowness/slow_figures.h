/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Sums over the executions of a task, of the engine, or of a tool; peaks are the largest. */
/* clang-format off */
#define SLOW_FIGURES(F)                                                                    \
	F(user_ns) F(kernel_ns) F(runnable_ns) F(disk_ns) F(disk_shared_ns) F(disk_fuse_ns) \
	F(paging_ns) F(network_ns) F(lock_ns) F(sleep_ns) F(poll_ns) F(poll_network_ns)     \
	F(poll_timer_ns) F(threads_ns) F(ctx_voluntary) F(major_faults) F(threads_peak)     \
	F(disk_read_bytes) F(disk_write_bytes) F(net_rx_bytes) F(net_tx_bytes)              \
	F(net_connects) F(net_connect_ns) F(net_connect_failures) F(net_retransmits)        \
	F(net_resets) F(files_failed) F(swap_bytes) F(rss_peak_bytes)                       \
	F(wall_computing_ns) F(wall_runnable_ns) F(wall_disk_ns) F(wall_paging_ns)          \
	F(wall_network_ns) F(wall_lock_ns) F(wall_poll_ns) F(wall_sleep_ns) F(wall_serial_ns)
/* clang-format on */

struct slow_figures {
#define SLOW_FIGURE(name) double name;
	SLOW_FIGURES(SLOW_FIGURE)
#undef SLOW_FIGURE
	double executions;
};
