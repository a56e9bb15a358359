-- SPDX-License-Identifier: Apache-2.0
-- The tasks that the analysis of failures looks at, with what became of their next attempts: tasks of the same name that began
-- later, as each agent counts them, or on another host.
-- host_gone: its host reported nothing more, while others went on.
WITH task AS (
	FROM tasks_named WHERE run_id = $run AND task_id IN (SELECT task_id FROM failure_tasks_of($run))
), mine AS (
	SELECT task_id, host_id, step, name, sample, attempt, status, started_at, ended_at FROM tasks
	WHERE run_id = $run AND status <> 'queued' AND name <> ''
), later AS (
	SELECT t.task_id, count(*) AS attempts, bool_or(l.status = 'succeeded') AS succeeded,
		coalesce(min_by(l.task_id, l.started_at) FILTER (l.status = 'succeeded'), min_by(l.task_id, l.started_at)) AS later_id
	FROM (SELECT * FROM mine WHERE is_failed(status) AND task_id IN (SELECT task_id FROM failure_tasks_of($run))) AS t
	JOIN mine AS l ON l.step = t.step AND l.name = t.name AND l.sample = t.sample AND l.started_at >= t.started_at
		AND (l.attempt > t.attempt OR (l.host_id <> t.host_id AND l.started_at >= t.ended_at))
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
