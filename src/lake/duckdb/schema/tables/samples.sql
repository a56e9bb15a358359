-- SPDX-License-Identifier: Apache-2.0
-- What an execution's figures grew by between two instants; rss_bytes and the like, rss_peak_bytes, threads_peak: levels at until_at.
-- Samples are most of the rows of a lake. So numbers stand for the texts of their execution and batch, and the figures that are
-- seldom other than 0 are in a table that has rows only for such samples. Readers take the view `samples`, which has all columns.

-- The number of each execution that a record was about, in the order of arrival.
CREATE TABLE IF NOT EXISTS execution_keys (
	execution_key BIGINT NOT NULL,
	host_id VARCHAR NOT NULL,
	pid BIGINT NOT NULL,
	start_ns BIGINT NOT NULL,
	image_seq BIGINT NOT NULL
);

CREATE TABLE IF NOT EXISTS samples_common (
	sample_key BIGINT NOT NULL,        -- its number, in the order of arrival
	execution_key BIGINT NOT NULL,
	batch_key BIGINT NOT NULL,         -- of its batch, in the ledger
	since_at TIMESTAMP,
	until_at TIMESTAMP,
	user_ns BIGINT NOT NULL DEFAULT 0,
	kernel_ns BIGINT NOT NULL DEFAULT 0,
	runnable_ns BIGINT NOT NULL DEFAULT 0,
	child_ns BIGINT NOT NULL DEFAULT 0,
	threads_ns BIGINT NOT NULL DEFAULT 0,
	minor_faults BIGINT NOT NULL DEFAULT 0,
	ctx_voluntary BIGINT NOT NULL DEFAULT 0,
	ctx_involuntary BIGINT NOT NULL DEFAULT 0,
	read_chars_bytes BIGINT NOT NULL DEFAULT 0,
	write_chars_bytes BIGINT NOT NULL DEFAULT 0,
	files_opened BIGINT NOT NULL DEFAULT 0,
	rss_bytes BIGINT NOT NULL DEFAULT 0,
	rss_anon_bytes BIGINT NOT NULL DEFAULT 0,
	rss_file_bytes BIGINT NOT NULL DEFAULT 0,
	rss_peak_bytes BIGINT NOT NULL DEFAULT 0,
	threads_peak BIGINT NOT NULL DEFAULT 0,
	wall_computing_ns BIGINT NOT NULL DEFAULT 0,
	wall_runnable_ns BIGINT NOT NULL DEFAULT 0,
	wall_child_ns BIGINT NOT NULL DEFAULT 0,
	wall_serial_ns BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE IF NOT EXISTS samples_rare (
	sample_key BIGINT NOT NULL,
	execution_key BIGINT NOT NULL,
	disk_ns BIGINT NOT NULL DEFAULT 0,
	paging_ns BIGINT NOT NULL DEFAULT 0,
	network_ns BIGINT NOT NULL DEFAULT 0,
	pipe_read_ns BIGINT NOT NULL DEFAULT 0,
	pipe_write_ns BIGINT NOT NULL DEFAULT 0,
	lock_ns BIGINT NOT NULL DEFAULT 0,
	sleep_ns BIGINT NOT NULL DEFAULT 0,
	poll_ns BIGINT NOT NULL DEFAULT 0,
	other_ns BIGINT NOT NULL DEFAULT 0,
	disk_shared_ns BIGINT NOT NULL DEFAULT 0,
	disk_fuse_ns BIGINT NOT NULL DEFAULT 0,
	major_faults BIGINT NOT NULL DEFAULT 0,
	disk_read_bytes BIGINT NOT NULL DEFAULT 0,
	disk_write_bytes BIGINT NOT NULL DEFAULT 0,
	net_rx_bytes BIGINT NOT NULL DEFAULT 0,
	net_tx_bytes BIGINT NOT NULL DEFAULT 0,
	net_loopback_rx_bytes BIGINT NOT NULL DEFAULT 0,
	net_loopback_tx_bytes BIGINT NOT NULL DEFAULT 0,
	net_unix_rx_bytes BIGINT NOT NULL DEFAULT 0,
	net_unix_tx_bytes BIGINT NOT NULL DEFAULT 0,
	net_connects BIGINT NOT NULL DEFAULT 0,
	net_accepts BIGINT NOT NULL DEFAULT 0,
	net_connect_failures BIGINT NOT NULL DEFAULT 0,
	net_resets BIGINT NOT NULL DEFAULT 0,
	net_retransmits BIGINT NOT NULL DEFAULT 0,
	net_connect_ns BIGINT NOT NULL DEFAULT 0,
	files_failed BIGINT NOT NULL DEFAULT 0,
	rss_shmem_bytes BIGINT NOT NULL DEFAULT 0,
	swap_bytes BIGINT NOT NULL DEFAULT 0,
	gpu_busy_ns BIGINT NOT NULL DEFAULT 0,
	gpu_memory_bytes BIGINT NOT NULL DEFAULT 0,
	gpu_memory_peak_bytes BIGINT NOT NULL DEFAULT 0,
	poll_network_ns BIGINT NOT NULL DEFAULT 0,
	poll_pipe_ns BIGINT NOT NULL DEFAULT 0,
	poll_timer_ns BIGINT NOT NULL DEFAULT 0,
	wall_disk_ns BIGINT NOT NULL DEFAULT 0,
	wall_paging_ns BIGINT NOT NULL DEFAULT 0,
	wall_network_ns BIGINT NOT NULL DEFAULT 0,
	wall_pipe_read_ns BIGINT NOT NULL DEFAULT 0,
	wall_pipe_write_ns BIGINT NOT NULL DEFAULT 0,
	wall_lock_ns BIGINT NOT NULL DEFAULT 0,
	wall_sleep_ns BIGINT NOT NULL DEFAULT 0,
	wall_poll_ns BIGINT NOT NULL DEFAULT 0,
	wall_other_ns BIGINT NOT NULL DEFAULT 0
);
