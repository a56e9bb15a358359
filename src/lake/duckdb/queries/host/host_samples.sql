-- SPDX-License-Identifier: Apache-2.0
-- A host over time: its samples from the start of the bucket of $since_at to $until_at, each in the bucket of $interval_s seconds in
-- which it ended (`at` is the start of the bucket). Growth is summed over the bucket, levels are averaged; sample_s is the time that
-- its samples cover. Buckets of minutes and hours come from sums (schema/tables/host_rollups.sql), shorter ones from the samples.
WITH parts AS (
	SELECT * FROM host_by_hour
	WHERE $interval_s % 3600 = 0 AND host_id = $host AND "at" >= bucket_at($since_at::TIMESTAMP, $interval_s) AND "at" <= $until_at
	UNION ALL BY NAME
	SELECT * FROM host_by_minute
	WHERE $interval_s % 3600 <> 0 AND $interval_s % 60 = 0 AND host_id = $host
		AND "at" >= bucket_at($since_at::TIMESTAMP, $interval_s) AND "at" <= $until_at
	UNION ALL BY NAME
	SELECT * REPLACE (until_at AS "at") FROM host_samples_apart
	WHERE $interval_s % 60 <> 0 AND host_id = $host AND until_at > $since_at AND until_at <= $until_at
)
SELECT bucket_at("at", $interval_s) AS "at",
	sum(lasted_us) / 1e6 AS sample_s,
	sum(cpu_user_ns) AS cpu_user_ns,
	sum(cpu_kernel_ns) AS cpu_kernel_ns,
	sum(cpu_iowait_ns) AS cpu_iowait_ns,
	sum(cpu_steal_ns) AS cpu_steal_ns,
	sum(cpu_idle_ns) AS cpu_idle_ns,
	sum(cpu_tracked_ns) AS cpu_tracked_ns,
	(sum(memory_used_bytes) / sum(samples))::BIGINT AS memory_used_bytes,
	(sum(memory_available_bytes) / sum(samples))::BIGINT AS memory_available_bytes,
	(sum(swap_used_bytes) / sum(samples))::BIGINT AS swap_used_bytes,
	sum(disk_read_bytes) AS disk_read_bytes,
	sum(disk_write_bytes) AS disk_write_bytes,
	sum(disk_reads) AS disk_reads,
	sum(disk_writes) AS disk_writes,
	sum(disk_busy_ns) AS disk_busy_ns,
	sum(net_rx_bytes) AS net_rx_bytes,
	sum(net_tx_bytes) AS net_tx_bytes,
	sum(cpu_pressure_ns) AS cpu_pressure_ns,
	sum(memory_pressure_ns) AS memory_pressure_ns,
	sum(io_pressure_ns) AS io_pressure_ns,
	sum(cpu_pressure_full_ns) AS cpu_pressure_full_ns,
	sum(memory_pressure_full_ns) AS memory_pressure_full_ns,
	sum(io_pressure_full_ns) AS io_pressure_full_ns,
	sum(block_requests) AS block_requests,
	sum(block_tracked_requests) AS block_tracked_requests,
	(sum(tracked_processes) / sum(samples))::BIGINT AS tracked_processes,
	sum(agent_cpu_ns) AS agent_cpu_ns,
	(sum(agent_rss_bytes) / sum(samples))::BIGINT AS agent_rss_bytes,
	max(agent_map_bytes) AS agent_map_bytes,
	max(agent_ring_bytes) AS agent_ring_bytes,
	max(agent_ring_peak_bytes) AS agent_ring_peak_bytes,
	max(agent_spool_bytes) AS agent_spool_bytes,
	nullif(sum(agent_programs_ns), 0) AS agent_programs_ns
FROM parts GROUP BY 1 ORDER BY 1;
