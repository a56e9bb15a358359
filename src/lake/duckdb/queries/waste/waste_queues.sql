-- SPDX-License-Identifier: Apache-2.0
-- Tasks that wait for a slot at $now_at (NULL: now), a row a run: what one of them asks for (0: unknown), since when the first waits, and
-- how many tasks of the run are running. waits_for: slurm, where the engine submits jobs; engine, where all its tasks were on its own host;
-- other.
WITH open AS (
	SELECT run_id, name, engine, owner_of("user", uid) AS "user", host_id, task_limit, command FROM runs_named
	WHERE started_at < last_of($now_at) AND (ended_at >= $now_at::TIMESTAMP OR (ended_at IS NULL AND status = 'running'))
		AND run_id NOT IN (SELECT part_id FROM parts)
), task AS (
	SELECT t.* FROM (
		SELECT run_id, task_id, host_id, status, queued_at, started_at, ended_at, cpus_requested, memory_requested_bytes FROM tasks_named
	) AS t SEMI JOIN open USING (run_id)
), waiting AS (
	SELECT run_id, count(*) AS tasks, min(queued_at) AS queued_at, arg_min(cpus_requested, queued_at) FILTER (cpus_requested > 0) AS cpus,
		arg_min(memory_requested_bytes, queued_at) FILTER (memory_requested_bytes > 0) AS memory_bytes
	FROM task WHERE queued_at < last_of($now_at) AND (status = 'queued' OR started_at >= $now_at::TIMESTAMP)
	GROUP BY run_id
), begun AS (
	SELECT task.run_id, count(*) FILTER (ended_at IS NULL OR ended_at >= $now_at::TIMESTAMP) AS running,
		bool_and(task.host_id = open.host_id) AS here
	FROM task JOIN open USING (run_id) WHERE started_at < last_of($now_at) GROUP BY task.run_id
), jobs AS (
	SELECT coalesce(p.run_id, l.run_id) AS run_id FROM links AS l LEFT JOIN parts AS p ON p.part_id = l.run_id WHERE l.kind = 'job'
)
SELECT run_id, name AS run_name, engine, "user", host_id, task_limit, tasks, queued_at, coalesce(cpus, 0) AS cpus,
	coalesce(memory_bytes, 0) AS memory_bytes, coalesce(running, 0) AS running,
	CASE WHEN run_id IN (SELECT run_id FROM jobs) OR contains(lower(command), 'slurm') THEN 'slurm'
		WHEN coalesce(here, false) THEN 'engine' ELSE 'other' END AS waits_for
FROM waiting JOIN open USING (run_id) LEFT JOIN begun USING (run_id)
ORDER BY run_id;
