-- SPDX-License-Identifier: Apache-2.0
-- The figures of each task of a run, with where most of it ran, and the most CPUs that one of its programs used which ran for a
-- tenth of the time; task_id '': of the processes of no task. At most $limit.
WITH places AS (
	SELECT task_id, arg_max(host_id, ns) AS host_id, arg_max(cgroup_id, ns) AS cgroup_id
	FROM (
		SELECT task_id, host_id, cgroup_id, sum(wall_ns::HUGEINT + 1) AS ns
		FROM executions WHERE run_id = $run GROUP BY ALL
	) GROUP BY task_id
), programs AS (
	SELECT task_id, (user_ns + kernel_ns) / wall_ns AS cpus, wall_ns * 10 >= max(wall_ns) OVER (PARTITION BY task_id) AS long
	FROM executions WHERE run_id = $run AND wall_ns > 0
), widths AS (
	SELECT task_id, max(cpus) AS widest FROM programs WHERE long GROUP BY task_id
)
SELECT f.key AS task_id, coalesce(t.step, '') AS step, coalesce(t.name, '') AS name, t.started_at,
	CASE WHEN t.status <> 'running' THEN last_alive_at(t.status, t.ended_at, f.executions_ended_at) END AS ended_at,
	t.cpus_requested, t.requested_by, w.widest, p.host_id, p.cgroup_id,
	f.* EXCLUDE (key, executions_failed, executions_lost, executions_wall_s, executions_ended_at)
FROM figures_by([$run], task_id) AS f
LEFT JOIN (FROM tasks_named WHERE run_id = $run) AS t ON t.task_id = f.key
LEFT JOIN places AS p ON p.task_id = f.key
LEFT JOIN widths AS w ON w.task_id = f.key
ORDER BY f.key LIMIT $limit;
