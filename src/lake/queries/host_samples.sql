-- A host over time: its samples between two instants, by the bucket of $interval_s seconds (`at` is its start) in
-- which each ended. Growth is summed over the bucket, levels are its means, sample_s is how much of it was seen.
SELECT make_timestamp(epoch_us(until_at) // ($interval_s * 1000000) * ($interval_s * 1000000)) AS "at",
	sum(seconds(since_at, until_at)) AS sample_s,
	sum(cpu_user_ns) AS cpu_user_ns,
	sum(cpu_kernel_ns) AS cpu_kernel_ns,
	sum(cpu_iowait_ns) AS cpu_iowait_ns,
	sum(cpu_steal_ns) AS cpu_steal_ns,
	sum(cpu_idle_ns) AS cpu_idle_ns,
	sum(cpu_tracked_ns) AS cpu_tracked_ns,
	avg(memory_used_bytes)::BIGINT AS memory_used_bytes,
	avg(memory_available_bytes)::BIGINT AS memory_available_bytes,
	avg(swap_used_bytes)::BIGINT AS swap_used_bytes,
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
	avg(tracked_processes)::BIGINT AS tracked_processes,
	sum(agent_cpu_ns) AS agent_cpu_ns,
	avg(agent_rss_bytes)::BIGINT AS agent_rss_bytes
FROM host_samples
WHERE host_id = $host AND until_at > $since_at AND until_at <= $until_at
GROUP BY 1 ORDER BY 1;
