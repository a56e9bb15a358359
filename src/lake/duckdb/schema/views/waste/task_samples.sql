-- SPDX-License-Identifier: Apache-2.0
-- A process that only sleeps: what a loop that waits starts again and again.
CREATE OR REPLACE MACRO is_sleep(exe) AS regexp_extract(exe, '[^/]*$') = 'sleep';

-- The samples of executions (a list of their keys) between two instants, with whether the process made progress: it used 1 % of a CPU or a
-- GPU, read or wrote, sent or received, closed a file, or was woken more than once a second.
CREATE OR REPLACE MACRO task_samples(since_, until_, keys_) AS TABLE
SELECT execution_key, since_at, until_at, f.user_ns + f.kernel_ns AS cpu_ns, f.ctx_voluntary AS wakes, f.rss_bytes,
	f.disk_ns, f.paging_ns, f.network_ns, f.pipe_read_ns, f.pipe_write_ns, f.lock_ns, f.sleep_ns, f.poll_ns, f.other_ns,
	(f.user_ns + f.kernel_ns) * 100 >= lasted_ns OR f.gpu_busy_ns * 100 >= lasted_ns AND f.gpu_busy_ns > 0
		OR f.ctx_voluntary * 1000000000 > lasted_ns OR f.files_opened > 0
		OR f.read_chars_bytes + f.write_chars_bytes + f.disk_read_bytes + f.disk_write_bytes > 0
		OR f.net_rx_bytes + f.net_tx_bytes + f.net_loopback_rx_bytes + f.net_loopback_tx_bytes + f.net_unix_rx_bytes
			+ f.net_unix_tx_bytes > 0 AS progress
FROM (
	SELECT execution_key, since_at, until_at, greatest(epoch_ns(until_at) - epoch_ns(since_at), 1) AS lasted_ns, unpack_figures(figures) AS f
	FROM samples_packed SEMI JOIN (SELECT unnest(keys_) AS execution_key) USING (execution_key)
	WHERE until_at > since_ AND until_at <= until_
);
