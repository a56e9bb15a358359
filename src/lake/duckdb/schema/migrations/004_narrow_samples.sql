-- SPDX-License-Identifier: Apache-2.0
-- `samples` was one table with 63 columns, five of them texts that were the same in each row. Numbers stand for these now, and the
-- figures that are seldom other than 0 have a table of their own (tables/samples.sql). The ledger has no index.
CREATE TABLE execution_keys (
	execution_key BIGINT NOT NULL,
	host_id VARCHAR NOT NULL,
	pid BIGINT NOT NULL,
	start_ns BIGINT NOT NULL,
	image_seq BIGINT NOT NULL
);
CREATE TABLE samples_common (
	sample_key BIGINT NOT NULL,
	execution_key BIGINT NOT NULL,
	batch_key BIGINT NOT NULL,
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
CREATE TABLE samples_rare (
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
ALTER TABLE executions ADD COLUMN execution_key BIGINT DEFAULT 0;
INSERT INTO execution_keys
SELECT row_number() OVER (ORDER BY first_at, host_id, pid, start_ns, image_seq), host_id, pid, start_ns, image_seq
FROM (
	SELECT host_id, pid, start_ns, image_seq, min(created_at) AS first_at
	FROM (
		SELECT host_id, pid, start_ns, image_seq, created_at FROM executions
		UNION ALL SELECT host_id, pid, start_ns, image_seq, created_at FROM samples
	)
	GROUP BY ALL
);
UPDATE executions SET execution_key = k.execution_key FROM execution_keys AS k
WHERE executions.host_id = k.host_id AND executions.pid = k.pid AND executions.start_ns = k.start_ns
	AND executions.image_seq = k.image_seq;
CREATE TABLE numbered_ledger AS
SELECT row_number() OVER (ORDER BY received_at, host_id, agent_id, boot_id, sequence) AS batch_key, * FROM ledger;
DROP TABLE ledger;
CREATE TABLE ledger (batch_key BIGINT NOT NULL, agent_id VARCHAR NOT NULL, boot_id VARCHAR NOT NULL, sequence BIGINT NOT NULL,
	host_id VARCHAR NOT NULL, created_at TIMESTAMP, received_at TIMESTAMP NOT NULL, records BIGINT NOT NULL);
INSERT INTO ledger BY NAME FROM numbered_ledger;
DROP TABLE numbered_ledger;
INSERT INTO samples_common BY NAME
SELECT s.rowid + 1 AS sample_key, k.execution_key, coalesce(b.batch_key, 0) AS batch_key, since_at, until_at,
	COLUMNS(lambda f: f IN (
		'user_ns', 'kernel_ns', 'runnable_ns', 'child_ns', 'threads_ns', 'minor_faults', 'ctx_voluntary', 'ctx_involuntary',
		'read_chars_bytes', 'write_chars_bytes', 'files_opened', 'rss_bytes', 'rss_anon_bytes', 'rss_file_bytes',
		'rss_peak_bytes', 'threads_peak', 'wall_computing_ns', 'wall_runnable_ns', 'wall_child_ns', 'wall_serial_ns'))
FROM samples AS s JOIN execution_keys AS k USING (host_id, pid, start_ns, image_seq)
LEFT JOIN (SELECT batch_key, host_id, agent_id, boot_id, sequence FROM ledger) AS b
	USING (host_id, agent_id, boot_id, sequence);
INSERT INTO samples_rare BY NAME
SELECT s.rowid + 1 AS sample_key, k.execution_key,
	COLUMNS(lambda f: f IN (
		'disk_ns', 'paging_ns', 'network_ns', 'pipe_read_ns', 'pipe_write_ns', 'lock_ns', 'sleep_ns', 'poll_ns', 'other_ns',
		'disk_shared_ns', 'disk_fuse_ns', 'major_faults', 'disk_read_bytes', 'disk_write_bytes', 'net_rx_bytes',
		'net_tx_bytes', 'net_loopback_rx_bytes', 'net_loopback_tx_bytes', 'net_unix_rx_bytes', 'net_unix_tx_bytes',
		'net_connects', 'net_accepts', 'net_connect_failures', 'net_resets', 'net_retransmits', 'net_connect_ns',
		'files_failed', 'rss_shmem_bytes', 'swap_bytes', 'gpu_busy_ns', 'gpu_memory_bytes', 'gpu_memory_peak_bytes',
		'poll_network_ns', 'poll_pipe_ns', 'poll_timer_ns', 'wall_disk_ns', 'wall_paging_ns', 'wall_network_ns',
		'wall_pipe_read_ns', 'wall_pipe_write_ns', 'wall_lock_ns', 'wall_sleep_ns', 'wall_poll_ns', 'wall_other_ns'))
FROM samples AS s JOIN execution_keys AS k USING (host_id, pid, start_ns, image_seq)
WHERE greatest(*COLUMNS(lambda f: f IN (
		'disk_ns', 'paging_ns', 'network_ns', 'pipe_read_ns', 'pipe_write_ns', 'lock_ns', 'sleep_ns', 'poll_ns', 'other_ns',
		'disk_shared_ns', 'disk_fuse_ns', 'major_faults', 'disk_read_bytes', 'disk_write_bytes', 'net_rx_bytes',
		'net_tx_bytes', 'net_loopback_rx_bytes', 'net_loopback_tx_bytes', 'net_unix_rx_bytes', 'net_unix_tx_bytes',
		'net_connects', 'net_accepts', 'net_connect_failures', 'net_resets', 'net_retransmits', 'net_connect_ns',
		'files_failed', 'rss_shmem_bytes', 'swap_bytes', 'gpu_busy_ns', 'gpu_memory_bytes', 'gpu_memory_peak_bytes',
		'poll_network_ns', 'poll_pipe_ns', 'poll_timer_ns', 'wall_disk_ns', 'wall_paging_ns', 'wall_network_ns',
		'wall_pipe_read_ns', 'wall_pipe_write_ns', 'wall_lock_ns', 'wall_sleep_ns', 'wall_poll_ns', 'wall_other_ns'))) > 0;
DROP TABLE samples;
