-- SPDX-License-Identifier: Apache-2.0
-- The executions of runs with their wall time, by process and start, of each run $limit behind $offset; task_began_at, task_ended_at: of
-- their task, NULL if they are of none. What runs ends now. by_signal: programs that wait for a child by sigsuspend (timeout of coreutils,
-- `wait` of dash).
SELECT e.run_id, e.task_id, coalesce(t.step, '') AS step, t.started_at AS task_began_at,
	CASE WHEN t.status = 'running' THEN now_at()
		ELSE last_alive_at(t.status, t.ended_at, max(e.ended_at) OVER (PARTITION BY e.run_id, e.task_id)) END AS task_ended_at,
	coalesce(t.status = 'running', false) AS task_runs,
	e.host_id, e.pid, e.start_ns, e.ppid, e.parent_start_ns, e.started_at, coalesce(e.ended_at, now_at()) AS ended_at, e.wall_ns,
	e.pipe_in, e.pipe_out, e.tool_kind = 'helper' AS helper,
	e.tool_kind = 'launcher' OR regexp_extract(e.exe, '[^/]*$') IN ('dash', 'sh') AS by_signal,
	COLUMNS(lambda f: starts_with(f, 'wall_') AND is_figure(f))
FROM execution_now_of(getvariable('runs')) AS e
LEFT JOIN task_steps_by_run(getvariable('runs')) AS t ON t.run_id = e.run_id AND t.task_id = e.task_id
WHERE is_one_of(getvariable('runs'), e.run_id) AND e.started_at IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY e.run_id ORDER BY e.host_id, e.pid, e.start_ns, e.started_at, e.image_seq)
	BETWEEN $offset + 1 AND $offset + $limit
ORDER BY e.run_id, e.host_id, e.pid, e.start_ns, e.started_at, e.image_seq;
