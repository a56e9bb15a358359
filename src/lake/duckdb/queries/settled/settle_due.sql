-- SPDX-License-Identifier: Apache-2.0
-- Runs that can be settled, the newest first: they ended $quiet_s seconds ago, nothing in them runs, and they are not settled, or were
-- by another version, or not completely ($since_at: when the server began, which completes those since). executions: of each; samples: as many as
-- there may be of them. The run that a run was started in may be unknown yet for a day.
WITH due AS (
	SELECT r.run_id, r.started_at, s.number IS NOT NULL AS settled
	FROM whole_runs AS r LEFT JOIN settled AS s USING (run_id)
	WHERE r.status NOT IN ('running', 'queued') AND r.ended_at < now_at() - to_seconds($quiet_s::BIGINT)
		AND (s.number IS NULL OR (NOT s.rows_removed AND (
			s.layout IS DISTINCT FROM (SELECT any_value(hash) FROM layout)
			OR (s.settled_at < $since_at AND s.number NOT IN (SELECT number FROM settled_documents WHERE kind = 'findings')))))
		AND (r.parent_run_id = '' OR r.ended_at < now_at() - INTERVAL 1 DAY OR r.parent_run_id IN (SELECT run_id FROM runs))
), page AS (
	SELECT run_id, started_at, settled FROM due
	WHERE run_id NOT IN (SELECT run_id FROM executions WHERE status = 'running')
		AND run_id NOT IN (SELECT run_id FROM tasks WHERE status = 'running')
	ORDER BY settled, started_at DESC, run_id
	LIMIT $limit
)
SELECT run_id, settled, coalesce(executions, 0) AS executions, coalesce(samples, 0)::BIGINT AS samples
FROM page LEFT JOIN (
	SELECT run_id, count(*) AS executions, sum(seconds(started_at, ended_at)) / 5 AS samples FROM executions SEMI JOIN page USING (run_id) GROUP BY run_id
) AS e USING (run_id)
ORDER BY settled, started_at DESC, run_id;
