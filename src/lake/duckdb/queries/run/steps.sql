-- SPDX-License-Identifier: Apache-2.0
-- The steps of a run, in the order of their start.
WITH task AS (
	SELECT t.step, t.status, t.started_at, t.queued_at,
		whole_wall_s(t.status, t.started_at, t.ended_at, f.executions_ended_at) AS wall_s,
		f.* EXCLUDE (key, executions_failed, executions_lost, executions_wall_s, executions_ended_at)
	FROM tasks_named AS t LEFT JOIN figures_by([$run], task_id) AS f ON f.key = t.task_id
	WHERE t.run_id = $run
), summed AS (
	SELECT step AS name, count(*) AS tasks, count(*) FILTER (is_failed(status)) AS failed,
		count(*) FILTER (status = 'lost') AS lost, min(coalesce(started_at, queued_at)) AS began_at,
		json_object('min', min(wall_s), 'median', median(wall_s), 'max', max(wall_s)) AS wall_s,
		sum(executions) AS executions, sum(COLUMNS(lambda f: is_sum(f) OR is_level(f))),
		max(COLUMNS(lambda f: is_peak(f)))
	FROM task GROUP BY step
)
SELECT name, tasks, failed, lost, coverage_of(s) AS coverage, work_of(s) AS work_ns,
	coalesce(COLUMNS(s.* EXCLUDE (name, tasks, failed, lost, began_at, wall_s)), 0), wall_s
FROM summed AS s ORDER BY began_at, name;
