-- SPDX-License-Identifier: Apache-2.0
-- The hosts that were up between two instants (NULL: no bound): what they are, and how busy they were. cpu_tracked_ns is the
-- part of up_s × CPUs that tracked work used.
SELECT h.host_id AS id, h.hostname, h.cpus, h.memory_bytes, nullif(h.instance_type, '') AS instance_type,
	nullif(h.provider, '') AS provider, nullif(h.region, '') AS region, nullif(h.price_usd_hour, 0) AS price_usd_hour,
	min(s.since_at) AS since_at, max(s.until_at) AS until_at,
	sum(s.lasted_us) / 1e6 AS up_s,
	sum(s.cpu_user_ns + s.cpu_kernel_ns) AS cpu_busy_ns,
	sum(s.cpu_tracked_ns) AS cpu_tracked_ns,
	sum(s.cpu_idle_ns) AS cpu_idle_ns
FROM hosts AS h
JOIN hosts_between(coalesce($since_at::TIMESTAMP, TIMESTAMP '1970-01-01'), coalesce($until_at::TIMESTAMP, TIMESTAMP '3000-01-01')) AS s
	USING (host_id)
GROUP BY ALL ORDER BY h.hostname, h.host_id;
