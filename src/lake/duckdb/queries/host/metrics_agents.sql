-- SPDX-License-Identifier: Apache-2.0
-- What each agent itself used, by its latest sample of the last five minutes, and how many records it reported lost so far:
-- the host, then one column a gauge. programs_cpu_ratio: NULL where the kernel does not count it.
WITH lost AS (SELECT host_id, sum(count) AS lost_records FROM losses GROUP BY host_id)
SELECT coalesce(hostname, host_id) AS host,
	agent_cpu_ns / 1e9 / nullif(seconds(since_at, until_at), 0) AS cpu_ratio,
	agent_rss_bytes AS rss_bytes, agent_map_bytes AS map_bytes, agent_ring_bytes AS ring_bytes,
	agent_ring_peak_bytes AS ring_peak_bytes, agent_spool_bytes AS spool_bytes,
	nullif(agent_programs_ns, 0) / 1e9 / nullif(seconds(since_at, until_at), 0) AS programs_cpu_ratio,
	coalesce(lost_records, 0)::BIGINT AS lost_records, tracked_processes
FROM host_last LEFT JOIN hosts USING (host_id) LEFT JOIN lost USING (host_id)
WHERE until_at >= now_at() - INTERVAL 5 MINUTE
ORDER BY host;
