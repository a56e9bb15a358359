-- SPDX-License-Identifier: Apache-2.0
-- The figures that add up, in the order of the message Figures: of executions they are sums, of samples growth.
CREATE OR REPLACE MACRO is_sum(name) AS name IN (
	'user_ns', 'kernel_ns', 'runnable_ns', 'disk_ns', 'paging_ns', 'network_ns', 'pipe_read_ns', 'pipe_write_ns',
	'lock_ns', 'child_ns', 'sleep_ns', 'poll_ns', 'other_ns', 'threads_ns', 'disk_shared_ns', 'disk_fuse_ns',
	'minor_faults', 'major_faults', 'ctx_voluntary', 'ctx_involuntary', 'read_chars_bytes', 'write_chars_bytes',
	'disk_read_bytes', 'disk_write_bytes',
	'net_rx_bytes', 'net_tx_bytes', 'net_loopback_rx_bytes', 'net_loopback_tx_bytes', 'net_unix_rx_bytes',
	'net_unix_tx_bytes', 'net_connects', 'net_accepts', 'net_connect_failures', 'net_resets', 'net_retransmits',
	'net_connect_ns', 'files_opened', 'files_failed', 'gpu_busy_ns', 'poll_network_ns', 'poll_pipe_ns', 'poll_timer_ns');

-- Those that say what is now, and those of which the largest counts.
CREATE OR REPLACE MACRO is_level(name) AS name IN (
	'rss_bytes', 'rss_anon_bytes', 'rss_file_bytes', 'rss_shmem_bytes', 'swap_bytes', 'gpu_memory_bytes');
CREATE OR REPLACE MACRO is_kind(name) AS name IN ('rss_anon_bytes', 'rss_file_bytes', 'rss_shmem_bytes', 'swap_bytes');
CREATE OR REPLACE MACRO is_peak(name) AS name IN ('rss_peak_bytes', 'threads_peak', 'gpu_memory_peak_bytes');
CREATE OR REPLACE MACRO is_figure(name) AS is_sum(name) OR is_level(name) OR is_peak(name);

-- How much of the threads' lives the times explain: 1 is all; NULL where no life was counted.
CREATE OR REPLACE MACRO explained_of(f) AS (f.user_ns + f.kernel_ns
	+ f.runnable_ns + f.disk_ns + f.paging_ns + f.network_ns + f.pipe_read_ns + f.pipe_write_ns + f.lock_ns
	+ f.child_ns + f.sleep_ns + f.poll_ns + f.other_ns);
CREATE OR REPLACE MACRO coverage_of(f) AS CASE WHEN f.threads_ns > 0 THEN explained_of(f) / f.threads_ns END;

-- Nanoseconds at work (docs/signal.md, As a bar): all but waits for children, and but sleep unless it is more than the rest; what no
-- state explains is in it where that is more than 2 %. NULL where no life was counted.
-- (Each figure is named once: a row's field is taken out of the whole row each time that it is.)
CREATE OR REPLACE MACRO awake_of(w) AS w.explained - w.child - w.sleep
	+ CASE WHEN w.explained < 0.98 * w.threads THEN w.threads - w.explained ELSE 0 END;
CREATE OR REPLACE MACRO work_of(f) AS list_transform(
	[{ explained: explained_of(f), child: f.child_ns, sleep: f.sleep_ns, threads: f.threads_ns }],
	lambda w: CASE WHEN w.threads > 0 THEN
		cut(awake_of(w) + CASE WHEN w.sleep > awake_of(w) THEN w.sleep ELSE 0 END) END)[1];
