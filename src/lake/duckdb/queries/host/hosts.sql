-- SPDX-License-Identifier: Apache-2.0
-- All hosts ($host: an id or a name; NULL: all), with the latest sample of each that is at most a day old (sample_s: its length
-- in seconds). losses: what was lost in the last week, and why; at most 20 kinds, those of the most records first.
-- status: down, the agent was stopped; silent, nothing arrived from it for a minute; up.
WITH last AS (
	SELECT * FROM host_last WHERE until_at >= now_at() - INTERVAL 1 DAY
), known AS (
	SELECT h.*, greatest(h.seen_at, last.until_at) AS heard_at, seconds(last.since_at, last.until_at) AS sample_s,
		last.until_at AS sampled_at,
		last.* EXCLUDE (host_id, boot_id, agent_id, sequence, created_at, since_at, until_at)
	FROM hosts AS h LEFT JOIN last USING (host_id)
), lost AS (
	SELECT host_id, to_json(list({what: what, count: count, since_at: strftime(since_at, '%Y-%m-%dT%H:%M:%S.%fZ'),
		until_at: strftime(until_at, '%Y-%m-%dT%H:%M:%S.%fZ'), why: why} ORDER BY count DESC, what, why)[1:20]) AS losses
	FROM (
		SELECT host_id, what, why, cut(sum(count)) AS count, min(since_at) AS since_at, max(until_at) AS until_at
		FROM losses WHERE until_at >= now_at() - INTERVAL 7 DAY GROUP BY host_id, what, why
	)
	GROUP BY host_id
)
SELECT host_id AS id, hostname, kernel, arch, os, cpus, memory_bytes, nullif(instance_type, '') AS instance_type,
	nullif(provider, '') AS provider, nullif(region, '') AS region, nullif(zone, '') AS zone,
	nullif(instance_id, '') AS instance_id, nullif(account_id, '') AS account_id, nullif(purchase, '') AS purchase, tags,
	nullif(price.usd_hour, 0) AS price_usd_hour, nullif(price.source, '') AS price_source,
	CASE WHEN agent_stopped_at >= coalesce(agent_started_at, agent_stopped_at) THEN 'down'
		WHEN heard_at >= now_at() - INTERVAL 1 MINUTE THEN 'up' ELSE 'silent' END AS status,
	booted_at, heard_at AS seen_at, agent_version,
	CASE WHEN clock_error_ns > 0 THEN clock_offset_ns END AS clock_offset_ns, nullif(clock_error_ns, 0) AS clock_error_ns,
	sampled_at, sample_s, cpu_user_ns, cpu_kernel_ns, cpu_iowait_ns, cpu_steal_ns, cpu_idle_ns, cpu_tracked_ns,
	memory_used_bytes, memory_available_bytes, swap_used_bytes,
	disk_read_bytes, disk_write_bytes, disk_reads, disk_writes, disk_busy_ns, net_rx_bytes, net_tx_bytes,
	cpu_pressure_ns, memory_pressure_ns, io_pressure_ns, cpu_pressure_full_ns, memory_pressure_full_ns, io_pressure_full_ns,
	block_requests, block_tracked_requests, tracked_processes, agent_cpu_ns, agent_rss_bytes, agent_map_bytes,
	agent_ring_bytes, agent_ring_peak_bytes, agent_spool_bytes,
	nullif(agent_programs_ns, 0) AS agent_programs_ns,
	coalesce(lost.losses, '[]'::JSON) AS losses
FROM known LEFT JOIN lost USING (host_id) LEFT JOIN host_price_now AS price USING (host_id)
WHERE $host::VARCHAR IS NULL OR host_id = $host OR hostname = $host
ORDER BY hostname, host_id;
