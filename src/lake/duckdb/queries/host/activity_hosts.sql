-- SPDX-License-Identifier: Apache-2.0
-- The hosts that were up between two instants (NULL: no bound): what they are, and how busy they were. cpu_tracked_ns is the
-- part of up_s × CPUs that tracked work used.
SELECT h.host_id AS id, h.hostname, h.cpus, h.memory_bytes, nullif(h.instance_type, '') AS instance_type,
	nullif(h.provider, '') AS provider, nullif(h.region, '') AS region, nullif(h.price_usd_hour, 0) AS price_usd_hour,
	s.since_at, s.until_at, s.up_s, s.cpu_busy_ns, s.cpu_tracked_ns, s.cpu_idle_ns
FROM hosts AS h
JOIN (
	SELECT host_id, min(since_at) AS since_at, max(until_at) AS until_at,
		sum(lasted_us) / 1e6 AS up_s,
		sum(cpu_user_ns + cpu_kernel_ns) AS cpu_busy_ns,
		sum(cpu_tracked_ns) AS cpu_tracked_ns,
		sum(cpu_idle_ns) AS cpu_idle_ns
	FROM hosts_between(coalesce($since_at::TIMESTAMP, TIMESTAMP '1970-01-01'), coalesce($until_at::TIMESTAMP, TIMESTAMP '3000-01-01'))
	GROUP BY host_id
) AS s USING (host_id)
ORDER BY h.hostname, h.host_id;
