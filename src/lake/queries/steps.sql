-- The steps of a run, in the order in which they began.
WITH ends AS (
	SELECT task_id, max(ended_at) AS executions_ended_at FROM execution_now WHERE run_id = $run GROUP BY task_id
), spans AS (
	SELECT step, status, started_at, whole_wall_s(status, started_at, ended_at, executions_ended_at) AS wall_s
	FROM tasks LEFT JOIN ends USING (task_id) WHERE run_id = $run
)
SELECT t.step AS name, t.tasks, t.failed,
	coalesce(COLUMNS(f.* EXCLUDE (key, executions_failed, executions_wall_s, executions_ended_at)), 0), t.wall_s
FROM (
	SELECT step, count(*) AS tasks, count(*) FILTER (is_failed(status)) AS failed, min(started_at) AS began_at,
		json_object('min', min(wall_s), 'median', median(wall_s), 'max', max(wall_s)) AS wall_s
	FROM spans GROUP BY step
) AS t
LEFT JOIN figures_by([$run], step) AS f ON f.key = t.step
ORDER BY t.began_at, t.step;
