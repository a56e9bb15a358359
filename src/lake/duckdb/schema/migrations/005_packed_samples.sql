-- SPDX-License-Identifier: Apache-2.0
-- The figures of a sample were columns, in two tables. They are one value now (tables/samples.sql): the n-th number of the list is
-- the figure with field number n in the message Figures.
CREATE TABLE samples_packed (
	sample_key BIGINT NOT NULL,
	execution_key BIGINT NOT NULL,
	batch_key BIGINT NOT NULL,
	since_at TIMESTAMP,
	until_at TIMESTAMP,
	figures BLOB NOT NULL USING COMPRESSION zstd
);
INSERT INTO samples_packed BY NAME
SELECT s.sample_key, s.execution_key, s.batch_key, s.since_at, s.until_at,
	pack_figures([
		s.user_ns, s.kernel_ns, s.runnable_ns, s.minor_faults, coalesce(r.major_faults, 0), s.ctx_voluntary, s.ctx_involuntary,
		s.read_chars_bytes, s.write_chars_bytes, coalesce(r.disk_read_bytes, 0), coalesce(r.disk_write_bytes, 0), s.rss_bytes,
		s.rss_peak_bytes, s.threads_peak, coalesce(r.disk_ns, 0), coalesce(r.paging_ns, 0), coalesce(r.network_ns, 0),
		coalesce(r.pipe_read_ns, 0), coalesce(r.pipe_write_ns, 0), coalesce(r.lock_ns, 0), s.child_ns, coalesce(r.sleep_ns, 0),
		coalesce(r.poll_ns, 0), coalesce(r.other_ns, 0), s.threads_ns, coalesce(r.disk_shared_ns, 0),
		coalesce(r.disk_fuse_ns, 0), coalesce(r.net_rx_bytes, 0), coalesce(r.net_tx_bytes, 0),
		coalesce(r.net_loopback_rx_bytes, 0), coalesce(r.net_loopback_tx_bytes, 0), coalesce(r.net_unix_rx_bytes, 0),
		coalesce(r.net_unix_tx_bytes, 0), coalesce(r.net_connects, 0), coalesce(r.net_accepts, 0),
		coalesce(r.net_connect_failures, 0), coalesce(r.net_resets, 0), coalesce(r.net_retransmits, 0),
		coalesce(r.net_connect_ns, 0), s.rss_anon_bytes, s.rss_file_bytes, coalesce(r.rss_shmem_bytes, 0),
		coalesce(r.swap_bytes, 0), 0, 0, 0, 0, 0, 0, s.files_opened, coalesce(r.files_failed, 0), 0, 0, 0, 0, 0, 0, 0, 0,
		coalesce(r.gpu_busy_ns, 0), coalesce(r.gpu_memory_bytes, 0), coalesce(r.gpu_memory_peak_bytes, 0), 0, 0, 0, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, coalesce(r.poll_network_ns, 0), coalesce(r.poll_pipe_ns, 0), coalesce(r.poll_timer_ns, 0),
		0, 0, 0, 0, 0, 0, 0, s.wall_computing_ns, s.wall_runnable_ns, coalesce(r.wall_disk_ns, 0), coalesce(r.wall_paging_ns, 0),
		coalesce(r.wall_network_ns, 0), coalesce(r.wall_pipe_read_ns, 0), coalesce(r.wall_pipe_write_ns, 0),
		coalesce(r.wall_lock_ns, 0), s.wall_child_ns, coalesce(r.wall_sleep_ns, 0), coalesce(r.wall_poll_ns, 0),
		coalesce(r.wall_other_ns, 0), s.wall_serial_ns
	]) AS figures
FROM samples_common AS s LEFT JOIN samples_rare AS r USING (sample_key);
DROP TABLE samples_rare;
DROP TABLE samples_common;
