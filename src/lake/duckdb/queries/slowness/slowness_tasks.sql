-- SPDX-License-Identifier: Apache-2.0
-- The figures of each task of a run, with where most of it ran; task_id '': of the processes of no task. At most $limit.
WITH places AS (
	SELECT task_id, arg_max(host_id, ns) AS host_id, arg_max(cgroup_id, ns) AS cgroup_id
	FROM (
		SELECT task_id, host_id, cgroup_id, sum(wall_ns::HUGEINT + 1) AS ns
		FROM executions WHERE run_id = $run GROUP BY ALL
	) GROUP BY task_id
)
SELECT f.key AS task_id, coalesce(t.step, '') AS step, coalesce(t.name, '') AS name, t.started_at,
	CASE WHEN t.status <> 'running' THEN last_alive_at(t.status, t.ended_at, f.executions_ended_at) END AS ended_at,
	t.cpus_requested, t.requested_by, p.host_id, p.cgroup_id,
	f.* EXCLUDE (key, executions_failed, executions_lost, executions_wall_s, executions_ended_at)
FROM figures_by([$run], task_id) AS f
LEFT JOIN (FROM tasks_named WHERE run_id = $run) AS t ON t.task_id = f.key
LEFT JOIN places AS p ON p.task_id = f.key
ORDER BY f.key LIMIT $limit;
