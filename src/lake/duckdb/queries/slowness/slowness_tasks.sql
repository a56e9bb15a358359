-- SPDX-License-Identifier: Apache-2.0
-- The figures of each task of runs, with where most of it ran, the most CPUs that one of its programs used which ran for a tenth
-- of the time, and the most CPU time of a thread of one of them, if all of its threads had as much; task_id '': of the processes
-- of no task. At most $limit of a run.
WITH places AS (
	SELECT run_id, task_id, arg_max(host_id, ns) AS host_id, arg_max(cgroup_id, ns) AS cgroup_id
	FROM (
		SELECT run_id, task_id, host_id, cgroup_id, sum(wall_ns::HUGEINT + 1) AS ns
		FROM executions WHERE is_one_of(getvariable('runs'), run_id) GROUP BY ALL
	) GROUP BY run_id, task_id
), programs AS (
	SELECT run_id, task_id, (user_ns + kernel_ns) / wall_ns AS cpus, (user_ns + kernel_ns) / greatest(threads_peak, 1) AS thread_ns,
		wall_ns * 10 >= max(wall_ns) OVER (PARTITION BY run_id, task_id) AS long
	FROM executions WHERE is_one_of(getvariable('runs'), run_id) AND wall_ns > 0
), widths AS (
	SELECT run_id, task_id, max(cpus) FILTER (long) AS widest, max(thread_ns) AS longest_ns FROM programs GROUP BY run_id, task_id
)
SELECT f.key.run AS run_id, f.key.task AS task_id, coalesce(t.step, '') AS step, coalesce(t.name, '') AS name, t.started_at,
	CASE WHEN t.status <> 'running' THEN last_alive_at(t.status, t.ended_at, f.executions_ended_at) END AS ended_at,
	t.cpus_requested, t.requested_by, w.widest, w.longest_ns, p.host_id, p.cgroup_id,
	f.* EXCLUDE (key, executions_failed, executions_lost, executions_wall_s, executions_ended_at)
FROM figures_by(getvariable('runs'), { run: run_id, task: task_id }) AS f
LEFT JOIN (FROM tasks_named WHERE is_one_of(getvariable('runs'), run_id)) AS t ON t.run_id = f.key.run AND t.task_id = f.key.task
LEFT JOIN places AS p ON p.run_id = f.key.run AND p.task_id = f.key.task
LEFT JOIN widths AS w ON w.run_id = f.key.run AND w.task_id = f.key.task
QUALIFY row_number() OVER (PARTITION BY f.key.run ORDER BY f.key.task) <= $limit
ORDER BY f.key.run, f.key.task;
