-- SPDX-License-Identifier: Apache-2.0
-- What worked on hosts between $since_at and $now_at (NULL: now). users: of the last day. runs_engine: a workflow engine itself ran there.
-- Units of work that ended: tasks, and whole runs of what no engine would repeat (scripts, sessions, single commands); tasks_restartable:
-- those of an engine that repeats failed tasks. task_p95_s: 95 % of them were shorter.
WITH worked AS (
	SELECT host_id, run_id, min(since_at) AS since_at, max(until_at) AS until_at FROM (
		SELECT host_id, run_id, since_at, until_at FROM settled_activity_runs
		UNION ALL SELECT host_id, run_id, started_at, coalesce(ended_at, now_at()) FROM work_besides()
	) AS w WHERE w.since_at < last_of($now_at) AND w.until_at > first_of($since_at)
	GROUP BY host_id, run_id
), units AS (
	SELECT t.host_id, repeats_tasks(r.engine) AS restartable, t.started_at AS since_at, t.ended_at AS until_at
	FROM tasks AS t JOIN runs AS r USING (run_id)
	WHERE t.ended_at < last_of($now_at) AND t.ended_at > first_of($since_at) AND t.started_at IS NOT NULL
	UNION ALL
	SELECT w.host_id, false, w.since_at, w.until_at FROM worked AS w JOIN runs AS r USING (run_id)
	WHERE NOT repeats_tasks(r.engine)
), ended AS (
	SELECT host_id, count(*) AS tasks_ended, count(*) FILTER (restartable) AS tasks_restartable,
		quantile_cont(seconds(since_at, until_at), 0.95) AS task_p95_s
	FROM units GROUP BY host_id
), people AS (
	SELECT w.host_id, string_agg(DISTINCT owner_of(r."user", r.uid), ', ' ORDER BY owner_of(r."user", r.uid)) AS users
	FROM worked AS w JOIN runs AS r USING (run_id)
	WHERE w.until_at > coalesce($now_at::TIMESTAMP, now_at()) - INTERVAL 1 DAY GROUP BY w.host_id
), engines AS (
	SELECT DISTINCT host_id FROM runs
	WHERE repeats_tasks(engine) AND engine <> 'slurm' AND started_at < last_of($now_at)
		AND (ended_at IS NULL OR ended_at > first_of($since_at))
)
SELECT host_id, coalesce(users, '') AS users, e.host_id IS NOT NULL AS runs_engine, coalesce(tasks_ended, 0) AS tasks_ended,
	coalesce(tasks_restartable, 0) AS tasks_restartable, task_p95_s
FROM (SELECT DISTINCT host_id FROM worked) LEFT JOIN people USING (host_id) LEFT JOIN ended USING (host_id)
LEFT JOIN engines AS e USING (host_id)
ORDER BY host_id;
