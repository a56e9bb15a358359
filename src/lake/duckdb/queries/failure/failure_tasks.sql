-- SPDX-License-Identifier: Apache-2.0
-- The tasks that the analysis of failures looks at, with what became of their next attempts.
-- host_gone: its host reported nothing more, while others went on.
WITH task AS (FROM failure_tasks_of($run)
), later AS (
	SELECT t.task_id, count(*) AS attempts, bool_or(l.status = 'succeeded') AS succeeded,
		coalesce(min_by(l.task_id, l.attempt) FILTER (l.status = 'succeeded'), min_by(l.task_id, l.attempt)) AS later_id
	FROM task AS t JOIN (SELECT task_id, step, name, sample, attempt, status, started_at FROM tasks_named WHERE run_id = $run) AS l
		ON l.step = t.step AND l.name = t.name AND l.sample = t.sample AND l.attempt > t.attempt AND l.started_at >= t.started_at
	WHERE t.name <> '' AND is_failed(t.status) AND l.status NOT IN ('queued', 'cached')
	GROUP BY t.task_id
)
SELECT t.task_id AS id, t.step, t.name, t.sample, t.host_id, t.pid, t.start_ns, t.status, t.exit_code, t.signal, t.attempt,
	t.memory_requested_bytes, t.requested_by, t.started_at, t.ended_at,
	l.later_id, coalesce(l.attempts, 0) AS later_attempts, coalesce(l.succeeded, false) AS later_succeeded,
	t.status = 'lost' AND h.agent_stopped_at IS NULL AND h.seen_at < (
		SELECT max(coalesce(ended_at, started_at)) FROM executions WHERE run_id = $run AND host_id <> t.host_id
	) - INTERVAL 1 MINUTE AS host_gone,
	h.instance_type
FROM task AS t LEFT JOIN later AS l USING (task_id) LEFT JOIN hosts AS h USING (host_id)
ORDER BY t.ended_at, t.task_id
LIMIT $limit;
