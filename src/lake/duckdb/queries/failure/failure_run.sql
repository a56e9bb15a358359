-- SPDX-License-Identifier: Apache-2.0
-- How a run ended, how many of its tasks and processes failed, and the last run that failed of those that were started in it.
SELECT r.run_id AS id, r.name, r.engine, r."user", r.uid, r.status, r.exit_code, r.signal, r.host_id, r.pid, r.start_ns, r.started_at,
	r.ended_at, t.last_task, t.last_task_id, t.last_task_ended_at, t.tasks, t.tasks_failed,
	c.run_id AS inner_id, c.name AS inner_name, c.exit_code AS inner_exit_code,
	(SELECT count(*) FROM executions WHERE run_id = $run AND is_failed(status)) AS processes_failed,
	(SELECT coalesce(sum(count), 0) FROM losses_of($run)) AS lost_records
FROM runs_named AS r LEFT JOIN (
	SELECT parent_run, run_id, name, exit_code FROM runs_named JOIN parent_runs USING (run_id)
	WHERE parent_run = $run AND is_failed(status) ORDER BY ended_at DESC, run_id LIMIT 1
) AS c ON c.parent_run = r.run_id, (
	SELECT count(*) AS tasks, count(*) FILTER (is_failed(status)) AS tasks_failed, max(ended_at) AS last_task_ended_at,
		arg_max(task_id, ended_at) AS last_task_id,
		arg_max(coalesce(nullif(name, ''), nullif(step, ''), task_id), ended_at) AS last_task
	FROM tasks WHERE run_id = $run AND status <> 'queued') AS t
WHERE r.run_id = $run;
