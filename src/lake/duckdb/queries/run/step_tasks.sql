-- SPDX-License-Identifier: Apache-2.0
-- The attempts of tasks of a run as histories of steps hold them, in the order of their start; at most $limit. $step: NULL for all.
SELECT $run::VARCHAR AS run_id, t.id, t.step, t.name, t.status, t.started_at, t.ended_at, t.attempt, t.wall_s, t.user_ns, t.kernel_ns, f.input_bytes,
	f.read_bytes, f.output_bytes, f.memory_charged_bytes, t.disk_read_bytes, t.disk_write_bytes, t.net_rx_bytes, t.net_tx_bytes,
	t.cpus_requested, t.memory_requested_bytes, t.requested_by, f.host_cpus, f.host_memory_bytes, f.host_type, f.versions, f.arguments,
	f.out_of_memory, NULL::JSON AS wall
FROM tasks_of($run) AS t LEFT JOIN task_facts_of($run) AS f ON f.id = t.id
WHERE t.started_at IS NOT NULL AND ($step::VARCHAR IS NULL OR t.step = $step)
ORDER BY t.started_at, t.id LIMIT $limit;
