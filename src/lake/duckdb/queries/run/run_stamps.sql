-- SPDX-License-Identifier: Apache-2.0
-- For one run, or ($run NULL) for the $limit newest ones that ended, a number that changes when anything changes that its findings
-- are made of: the run, its tasks, executions and events, the names that its engine reported, and whether its host was seen 10 s after its
-- end, when all samples of it have arrived (they say nothing of a run that was shorter than their interval). open: it runs.
WITH chosen AS (
	SELECT run_id, host_id, status, exit_code, started_at, ended_at FROM whole_runs
	WHERE CASE WHEN $run::VARCHAR IS NULL THEN status NOT IN ('running', 'queued') ELSE run_id = $run END
	ORDER BY started_at DESC, run_id LIMIT $limit
), ids AS (SELECT run_id FROM chosen)
SELECT c.run_id AS id, c.status IN ('running', 'queued') OR coalesce(e.open, false) AS open,
	(hash(c.status, c.exit_code, c.ended_at, e.count, e.sequence, e.created_at, t.count, t.sequence, t.created_at, v.count, w.count,
		c.ended_at - c.started_at >= INTERVAL 5 SECOND AND h.seen_at >= c.ended_at + INTERVAL 10 SECOND) >> 1)::BIGINT AS stamp
FROM chosen AS c
LEFT JOIN (
	SELECT run_id, bool_or(status = 'running') AS open, count(*) AS count, sum(sequence) AS sequence, max(created_at) AS created_at
	FROM executions WHERE run_id IN (FROM ids) GROUP BY run_id
) AS e USING (run_id)
LEFT JOIN (
	SELECT run_id, count(*) AS count, sum(sequence) AS sequence, max(created_at) AS created_at
	FROM tasks WHERE run_id IN (FROM ids) GROUP BY run_id
) AS t USING (run_id)
LEFT JOIN (SELECT run_id, count(*) AS count FROM events WHERE run_id IN (FROM ids) GROUP BY run_id) AS v USING (run_id)
LEFT JOIN (
	SELECT run_id, hash(count(*), sum(sequence), max(created_at)) AS count
	FROM run_links JOIN told_tasks USING (told_id) WHERE run_id IN (FROM ids) GROUP BY run_id
) AS w USING (run_id)
LEFT JOIN hosts AS h USING (host_id)
ORDER BY c.started_at DESC, c.run_id;
