-- SPDX-License-Identifier: Apache-2.0
-- How runs ended, how many of their tasks and processes failed, and of each the last run that failed of those that were started in it.
WITH losses_of_hosts AS (
	SELECT h.run_id, sum(l.count) AS count
	FROM (
		SELECT run_id, host_id FROM executions WHERE is_one_of(getvariable('runs'), run_id)
		UNION SELECT run_id, host_id FROM runs WHERE is_one_of(getvariable('runs'), run_id)
	) AS h JOIN (
		SELECT run_id, n.started_at, coalesce(CASE WHEN r.status <> 'lost' THEN r.ended_at END, now_at()) AS ended_at
		FROM runs_named AS r JOIN (SELECT run_id, started_at FROM runs) AS n USING (run_id) WHERE is_one_of(getvariable('runs'), run_id)
	) AS r USING (run_id) JOIN losses AS l ON l.host_id = h.host_id AND l.until_at >= r.started_at AND l.since_at <= r.ended_at
	GROUP BY h.run_id
)
SELECT r.run_id, r.run_id AS id, r.name, r.engine, r."user", r.uid, r.status, r.exit_code, r.signal, r.host_id, r.pid, r.start_ns, r.started_at,
	r.ended_at, t.last_task, t.last_task_id, t.last_task_ended_at, coalesce(t.tasks, 0) AS tasks, coalesce(t.tasks_failed, 0) AS tasks_failed,
	c.run_id AS inner_id, c.name AS inner_name, c.exit_code AS inner_exit_code,
	coalesce(e.processes_failed, 0) AS processes_failed, coalesce(l.count, 0) AS lost_records
FROM runs_named AS r LEFT JOIN (
	SELECT parent_run, run_id, name, exit_code FROM runs_named JOIN parent_runs USING (run_id)
	WHERE is_one_of(getvariable('runs'), parent_run) AND is_failed(status)
	QUALIFY row_number() OVER (PARTITION BY parent_run ORDER BY ended_at DESC, run_id) = 1
) AS c ON c.parent_run = r.run_id LEFT JOIN (
	SELECT run_id, count(*) AS tasks, count(*) FILTER (is_failed(status)) AS tasks_failed, max(ended_at) AS last_task_ended_at,
		arg_max(task_id, ended_at) AS last_task_id,
		arg_max(coalesce(nullif(name, ''), nullif(step, ''), task_id), ended_at) AS last_task
	FROM tasks WHERE is_one_of(getvariable('runs'), run_id) AND status <> 'queued' GROUP BY run_id
) AS t ON t.run_id = r.run_id LEFT JOIN (
	SELECT run_id, count(*) AS processes_failed FROM executions
	WHERE is_one_of(getvariable('runs'), run_id) AND is_failed(status) GROUP BY run_id
) AS e ON e.run_id = r.run_id LEFT JOIN losses_of_hosts AS l ON l.run_id = r.run_id
WHERE is_one_of(getvariable('runs'), r.run_id)
ORDER BY r.run_id;
