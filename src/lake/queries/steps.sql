-- The steps of a run, in the order in which they began.
SELECT t.step AS name, t.tasks, t.failed, f.* EXCLUDE (key, executions_failed, executions_wall_s, executions_ended_at),
	t.wall_s
FROM (
	SELECT step, count(*) AS tasks, count(*) FILTER (is_failed(status)) AS failed, min(started_at) AS began_at,
		json_object('min', min(wall_s), 'median', median(wall_s), 'max', max(wall_s)) AS wall_s
	FROM tasks_of($run) GROUP BY step
) AS t
LEFT JOIN figures_by([$run], step) AS f ON f.key = t.step
ORDER BY t.began_at, t.step;
