-- SPDX-License-Identifier: Apache-2.0
-- The hosts of runs while they lasted: how busy they were, and the CPU time of the run there; at most $limit of a run. A sample that
-- lies partly in this time counts by that part; inside: of those that lie in it whole.
WITH span AS MATERIALIZED (FROM spans_by_run(getvariable('runs'))),
mine AS MATERIALIZED (
	SELECT run_id, host_id, sum(user_ns + kernel_ns) AS own_ns FROM execution_now_of(getvariable('runs'))
	WHERE is_one_of(getvariable('runs'), run_id) GROUP BY run_id, host_id
), parts AS (
	SELECT m.run_id, s.*,
		seconds(greatest(s.since_at, m.started_at), least(s.until_at, m.ended_at)) / nullif(seconds(s.since_at, s.until_at), 0) AS part
	FROM host_samples AS s JOIN (FROM mine JOIN span USING (run_id)) AS m
		ON m.host_id = s.host_id AND s.until_at > m.started_at AND s.since_at < m.ended_at
), summed AS (
	SELECT run_id, host_id, sum(seconds(since_at, until_at) * part) * 1e9 AS sampled_ns,
		sum((cpu_user_ns + cpu_kernel_ns) * part) AS busy_ns, sum(cpu_steal_ns * part) AS steal_ns,
		sum(seconds(since_at, until_at)) FILTER (part >= 1) * 1e9 AS inside_ns,
		sum(cpu_idle_ns + cpu_iowait_ns) FILTER (part >= 1)::DOUBLE AS inside_idle_ns, sum(cpu_tracked_ns * part) AS tracked_ns,
		sum(agent_cpu_ns * part) AS agent_ns, sum(disk_busy_ns * part) AS disk_busy_ns,
		sum(block_requests * part) AS block_requests, sum(block_tracked_requests * part) AS block_tracked_requests,
		sum(memory_pressure_ns * part) AS memory_pressure_ns, sum(io_pressure_ns * part) AS io_pressure_ns
	FROM parts GROUP BY run_id, host_id
)
SELECT m.run_id, m.host_id AS id, h.hostname AS name, h.cpus::DOUBLE AS cpus, m.own_ns::DOUBLE AS own_ns, s.* EXCLUDE (run_id, host_id)
FROM mine AS m LEFT JOIN hosts AS h USING (host_id) LEFT JOIN summed AS s ON s.run_id = m.run_id AND s.host_id = m.host_id
QUALIFY row_number() OVER (PARTITION BY m.run_id ORDER BY m.host_id) <= $limit
ORDER BY m.run_id, m.host_id;
