-- SPDX-License-Identifier: Apache-2.0
-- The executions of runs that read from or wrote to a pipe, those that lived longest first; at most $limit of a run.
SELECT e.run_id, e.task_id, coalesce(t.step, '') AS step, tool_name(e.tool, e.exe) AS tool,
	(hash(e.host_id, e.boot_id, e.pipe_in) >> 1)::BIGINT AS pipe_in, (hash(e.host_id, e.boot_id, e.pipe_out) >> 1)::BIGINT AS pipe_out,
	e.pipe_in > 0 AS reads, e.pipe_out > 0 AS writes,
	e.started_at, coalesce(e.ended_at, now_at()) AS ended_at, e.wall_pipe_read_ns, e.wall_pipe_write_ns, e.wall_computing_ns,
	e.user_ns + e.kernel_ns AS cpu_ns
FROM execution_now_of(getvariable('runs')) AS e
LEFT JOIN task_steps_by_run(getvariable('runs')) AS t ON t.run_id = e.run_id AND t.task_id = e.task_id
WHERE is_one_of(getvariable('runs'), e.run_id) AND e.started_at IS NOT NULL AND (e.pipe_in > 0 OR e.pipe_out > 0)
QUALIFY row_number() OVER (PARTITION BY e.run_id
	ORDER BY seconds(e.started_at, coalesce(e.ended_at, now_at())) DESC, e.host_id, e.pid, e.start_ns, e.image_seq) <= $limit
ORDER BY e.run_id, seconds(e.started_at, coalesce(e.ended_at, now_at())) DESC, e.host_id, e.pid, e.start_ns, e.image_seq;
