-- SPDX-License-Identifier: Apache-2.0
-- The attempts of tasks of a run as histories of steps hold them, in the order of their start; at most $limit. $step: NULL for all. Figures
-- of an attempt without a known process are NULL.
SELECT $run::VARCHAR AS run_id, t.id, t.step, t.name, t.status, t.started_at, t.ended_at, t.queued_at, t.attempt, t.wall_s,
	CASE WHEN seen THEN t.user_ns END AS user_ns, CASE WHEN seen THEN t.kernel_ns END AS kernel_ns, f.input_bytes, f.read_bytes, f.output_bytes,
	f.memory_charged_bytes, CASE WHEN seen THEN t.disk_read_bytes END AS disk_read_bytes,
	CASE WHEN seen THEN t.disk_write_bytes END AS disk_write_bytes, CASE WHEN seen THEN t.net_rx_bytes END AS net_rx_bytes,
	CASE WHEN seen THEN t.net_tx_bytes END AS net_tx_bytes, t.cpus_requested, t.memory_requested_bytes, t.requested_by, f.host_cpus,
	f.host_memory_bytes, f.host_type, f.versions, f.arguments, f.out_of_memory, coalesce(t.exit_code IN (124, 140), false) AS out_of_time, NULL::JSON AS wall
FROM (SELECT *, executions > 0 AS seen FROM tasks_of($run)) AS t LEFT JOIN task_facts_of($run) AS f ON f.id = t.id
WHERE t.started_at IS NOT NULL AND ($step::VARCHAR IS NULL OR t.step = $step)
ORDER BY t.started_at, t.id LIMIT $limit;
