-- SPDX-License-Identifier: Apache-2.0
-- Of the query `samples` what its charts draw: CPU time, waiting for a CPU, storage and memory. A run with many tasks has many rows, and most
-- of what an answer costs is the number of its figures.
SELECT "at", key, user_ns, kernel_ns, runnable_ns, disk_read_bytes, disk_write_bytes, rss_bytes, rss_anon_bytes, rss_file_bytes,
	rss_shmem_bytes, swap_bytes
FROM samples_of($run, $by, $interval_s);
