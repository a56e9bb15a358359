-- SPDX-License-Identifier: Apache-2.0
-- The hosts of a run while it lasted: how busy they were, and the CPU time of the run there. A sample that lies partly in this
-- time counts by that part; inside: of those that lie in it whole.
WITH span AS MATERIALIZED (FROM span_of($run)),
mine AS MATERIALIZED (
	SELECT host_id, sum(user_ns + kernel_ns) AS own_ns FROM execution_now_of([$run]) WHERE run_id = $run GROUP BY host_id
), parts AS (
	SELECT s.*, seconds(greatest(s.since_at, span.started_at), least(s.until_at, span.ended_at)) / nullif(seconds(s.since_at, s.until_at), 0) AS part
	FROM host_samples AS s SEMI JOIN mine USING (host_id), span
	WHERE s.until_at > span.started_at AND s.since_at < span.ended_at
), summed AS (
	SELECT host_id, sum(seconds(since_at, until_at) * part) * 1e9 AS sampled_ns,
		sum((cpu_user_ns + cpu_kernel_ns) * part) AS busy_ns, sum(cpu_steal_ns * part) AS steal_ns,
		sum(seconds(since_at, until_at)) FILTER (part >= 1) * 1e9 AS inside_ns,
		sum(cpu_idle_ns + cpu_iowait_ns) FILTER (part >= 1)::DOUBLE AS inside_idle_ns, sum(cpu_tracked_ns * part) AS tracked_ns,
		sum(agent_cpu_ns * part) AS agent_ns, sum(disk_busy_ns * part) AS disk_busy_ns,
		sum(block_requests * part) AS block_requests, sum(block_tracked_requests * part) AS block_tracked_requests,
		sum(memory_pressure_ns * part) AS memory_pressure_ns, sum(io_pressure_ns * part) AS io_pressure_ns
	FROM parts GROUP BY host_id
)
SELECT m.host_id AS id, h.hostname AS name, h.cpus::DOUBLE AS cpus, m.own_ns::DOUBLE AS own_ns, s.* EXCLUDE (host_id)
FROM mine AS m LEFT JOIN hosts AS h USING (host_id) LEFT JOIN summed AS s USING (host_id)
ORDER BY m.host_id LIMIT $limit;
