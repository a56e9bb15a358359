-- SPDX-License-Identifier: Apache-2.0
-- The control groups with processes of a run, with what they used and were denied while the run lasted (NULL: no sample says).
-- Other work in these groups counts, too.
WITH mine AS (
	SELECT host_id, boot_id, cgroup_id, count(*) AS executions, min(started_at) AS used_at
	FROM executions WHERE run_id = $run AND cgroup_id <> 0 GROUP BY ALL
), lasted AS (
	SELECT started_at, coalesce(CASE WHEN status <> 'lost' THEN ended_at END, now_at()) AS ended_at
	FROM runs WHERE run_id = $run
), used AS (
	SELECT host_id, boot_id, cgroup_id,
		CASE WHEN bool_or(cpu_known) OR sum(cpu_ns) > 0 THEN cut(sum(cpu_ns)) END AS cpu_ns,
		cut(sum(cpu_periods)) AS cpu_periods,
		cut(sum(cpu_throttled_periods)) AS cpu_throttled_periods,
		cut(sum(cpu_throttled_ns)) AS cpu_throttled_ns,
		nullif(max(greatest(memory_peak_bytes, memory_bytes)), 0) AS memory_peak_bytes,
		cut(sum(memory_high_events)) AS memory_high_events,
		cut(sum(memory_max_events)) AS memory_max_events,
		cut(sum(memory_oom_events)) AS memory_oom_events,
		cut(sum(memory_oom_kills)) AS memory_oom_kills,
		cut(sum(cpu_pressure_ns)) AS cpu_pressure_ns,
		cut(sum(memory_pressure_ns)) AS memory_pressure_ns,
		cut(sum(io_pressure_ns)) AS io_pressure_ns,
		cut(sum(memory_pressure_full_ns)) AS memory_pressure_full_ns,
		cut(sum(io_pressure_full_ns)) AS io_pressure_full_ns,
		cut(sum(cpu_pressure_full_ns)) AS cpu_pressure_full_ns
	FROM container_samples JOIN mine USING (host_id, boot_id, cgroup_id), lasted
	WHERE until_at >= lasted.started_at AND since_at <= lasted.ended_at
	GROUP BY ALL
)
SELECT c.host_id, h.hostname AS host, c.cgroup_id, c.path, nullif(c.runtime, '') AS runtime,
	nullif(c.container_id, '') AS id, nullif(c.name, '') AS name, nullif(c.image, '') AS image,
	nullif(c.pod, '') AS pod, nullif(c.pod_name, '') AS pod_name, nullif(c.namespace, '') AS namespace,
	nullif(c.qos, '') AS qos, nullif(c.job_id, '') AS job_id, nullif(c.step_id, '') AS step_id,
	nullif(c.node, '') AS node, nullif(c.unit, '') AS unit,
	c.limits_known, nullif(c.memory_limit_bytes, 0) AS memory_limit_bytes, nullif(c.cpu_limit, 0) AS cpu_limit,
	c.started_at, c.ended_at, m.executions,
	u.* EXCLUDE (host_id, boot_id, cgroup_id)
FROM mine AS m
JOIN containers AS c USING (host_id, boot_id, cgroup_id)
LEFT JOIN hosts AS h ON h.host_id = c.host_id
LEFT JOIN used AS u ON u.host_id = c.host_id AND u.boot_id = c.boot_id AND u.cgroup_id = c.cgroup_id
ORDER BY m.used_at, c.path
LIMIT $limit;
