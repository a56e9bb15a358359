-- SPDX-License-Identifier: Apache-2.0
-- Shells and notebooks that are open at $now_at (NULL: now). used_until: the last instant at which a process of it used 1 % of a CPU, or
-- began; now, while a program that was started in it runs. memory_bytes: that its processes hold, as of now.
WITH open AS (
	SELECT run_id, host_id, owner_of("user", uid) AS "user", command, labels, started_at, pid, start_ns FROM runs
	WHERE engine = 'session' AND started_at < last_of($now_at) AND (ended_at >= $now_at::TIMESTAMP OR (ended_at IS NULL AND status = 'running'))
		AND run_id NOT IN (SELECT part_id FROM parts)
), process AS (
	SELECT e.run_id, e.host_id, e.started_at, e.ended_at, w.run_id IS NOT NULL AS waits
	FROM executions AS e SEMI JOIN open USING (run_id)
	LEFT JOIN waiting_work AS w ON w.run_id = e.run_id AND w.task_id = e.task_id
	WHERE e.started_at < last_of($now_at)
), used AS (
	SELECT run_id, max("at") AS used_until FROM (
		SELECT run_id, started_at AS "at" FROM process
		UNION ALL
		SELECT run_id, least(coalesce(ended_at, last_of($now_at)), coalesce($now_at::TIMESTAMP, now_at())) FROM process WHERE NOT waits
		UNION ALL
		SELECT run_id, least(until_at, coalesce($now_at::TIMESTAMP, now_at())) FROM waits_now SEMI JOIN open USING (run_id)
		WHERE since_at < last_of($now_at)
	) GROUP BY run_id
), held AS (
	SELECT run_id, sum(rss_bytes) AS memory_bytes FROM execution_now_of((SELECT list(run_id) FROM open))
	WHERE status = 'running' GROUP BY run_id
)
SELECT run_id, host_id, "user", command, labels, started_at, coalesce(used_until, started_at) AS used_until, memory_bytes, pid,
	EXISTS (FROM tasks AS t WHERE t.run_id = open.run_id AND t.pid = open.pid AND t.start_ns = open.start_ns) AS notebook
FROM open LEFT JOIN used USING (run_id) LEFT JOIN held USING (run_id)
ORDER BY host_id, run_id;
