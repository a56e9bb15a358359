-- SPDX-License-Identifier: Apache-2.0
-- What each queued task of runs waited for. When it started (or now, while it waits)
--   executor   its engine ran as many tasks as it may
--   cores      as many tasks of the run were on its host as that has cores
-- else what the host lacked for the task (its request; without one, a core and a tenth of the memory) for most of the wait, by the
-- samples of the host: `cores`, `memory`; where it lacked neither: `executor`, the engine or scheduler held the task back. NULL: no
-- sample of the host. Samples, and starts and ends of tasks, are summed once; each wait is a difference of two sums.
CREATE OR REPLACE MACRO queue_waits(runs_) AS TABLE
WITH task AS (
	SELECT run_id, task_id, host_id, queued_at, started_at, ended_at, cpus_requested, memory_requested_bytes
	FROM tasks_named WHERE is_one_of(runs_, run_id) AND host_id IS NOT NULL
), waits AS (
	SELECT run_id, task_id, host_id, queued_at AS since_at, greatest(coalesce(started_at, now_at()), queued_at) AS until_at,
		greatest(cpus_requested, 1) AS cores, memory_requested_bytes AS memory
	FROM task WHERE queued_at IS NOT NULL
), needs AS (
	SELECT run_id, host_id, cores, memory, min(since_at) AS since_at, max(until_at) AS until_at FROM waits GROUP BY ALL
), seen AS (
	SELECT n.run_id, n.host_id, n.cores, n.memory, s.since_at, s.until_at, seconds(s.since_at, s.until_at) AS lasted_s,
		(s.cpu_idle_ns + s.cpu_iowait_ns) / 1e9 < n.cores * lasted_s AS lacks_cores,
		NOT lacks_cores AND s.memory_available_bytes < CASE WHEN n.memory > 0 THEN n.memory
			ELSE (s.memory_used_bytes + s.memory_available_bytes) / 10 END AS lacks_memory
	FROM needs AS n JOIN host_samples AS s
		ON s.host_id = n.host_id AND s.until_at > n.since_at AND s.since_at < n.until_at
), added AS (
	SELECT run_id, host_id, cores, memory, since_at, until_at, sum(lasted_s) OVER before AS s,
		sum(lasted_s * lacks_cores::INT) OVER before AS cores_s, sum(lasted_s * lacks_memory::INT) OVER before AS memory_s
	FROM seen WINDOW before AS (PARTITION BY run_id, host_id, cores, memory ORDER BY until_at ROWS UNBOUNDED PRECEDING)
), changes AS (
	SELECT run_id, host_id, "at", sum(sum(change)) OVER (PARTITION BY run_id, host_id ORDER BY "at") AS running
	FROM (SELECT run_id, host_id, started_at AS "at", 1 AS change FROM task UNION ALL SELECT run_id, host_id, ended_at, -1 FROM task)
	WHERE "at" IS NOT NULL GROUP BY run_id, host_id, "at"
), spent AS (
	SELECT w.run_id, w.task_id, w.host_id, r.running, z.s - coalesce(a.s, 0) AS s, z.cores_s - coalesce(a.cores_s, 0) AS cores_s,
		z.memory_s - coalesce(a.memory_s, 0) AS memory_s
	FROM waits AS w
	ASOF LEFT JOIN changes AS r ON r.run_id = w.run_id AND r.host_id = w.host_id AND w.until_at >= r."at"
	ASOF LEFT JOIN added AS z ON z.run_id = w.run_id AND z.host_id = w.host_id AND z.cores = w.cores AND z.memory = w.memory
		AND w.until_at > z.since_at
	ASOF LEFT JOIN added AS a ON a.run_id = w.run_id AND a.host_id = w.host_id AND a.cores = w.cores AND a.memory = w.memory
		AND w.since_at >= a.until_at
)
SELECT task_id, CASE
	WHEN running >= nullif(task_limit, 0) THEN 'executor'
	WHEN running >= nullif(cpus, 0) THEN 'cores'
	WHEN s > 0 THEN CASE greatest(cores_s, memory_s, s - cores_s - memory_s)
		WHEN cores_s THEN 'cores' WHEN memory_s THEN 'memory' ELSE 'executor' END
	END AS queued_for
FROM spent LEFT JOIN hosts USING (host_id) LEFT JOIN (SELECT run_id, task_limit FROM runs) AS l USING (run_id);
