-- SPDX-License-Identifier: Apache-2.0
-- The executions of a run that read from or wrote to a pipe, those that lived longest first.
SELECT e.task_id, coalesce(t.step, '') AS step, tool_name(e.tool, e.exe) AS tool,
	(hash(e.host_id, e.boot_id, e.pipe_in) >> 1)::BIGINT AS pipe_in, (hash(e.host_id, e.boot_id, e.pipe_out) >> 1)::BIGINT AS pipe_out,
	e.pipe_in > 0 AS reads, e.pipe_out > 0 AS writes,
	e.started_at, coalesce(e.ended_at, now_at()) AS ended_at, e.wall_pipe_read_ns, e.wall_pipe_write_ns, e.wall_computing_ns,
	e.user_ns + e.kernel_ns AS cpu_ns
FROM execution_now_of([$run]) AS e LEFT JOIN task_steps_of($run) AS t ON t.task_id = e.task_id
WHERE e.run_id = $run AND e.started_at IS NOT NULL AND (e.pipe_in > 0 OR e.pipe_out > 0)
ORDER BY seconds(e.started_at, coalesce(e.ended_at, now_at())) DESC, e.host_id, e.pid, e.start_ns, e.image_seq LIMIT $limit;
