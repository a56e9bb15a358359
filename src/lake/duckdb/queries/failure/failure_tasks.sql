-- SPDX-License-Identifier: Apache-2.0
-- The tasks of runs that the analysis of failures looks at, with what became of their next attempts: tasks of the same name that began
-- later, as each agent counts them, or on another host. At most $limit of a run.
-- host_gone: its host reported nothing more, while others went on, or as its cloud had said (notice).
WITH chosen AS MATERIALIZED (FROM failure_tasks_by_run(getvariable('runs'))
), task AS (
	FROM tasks_named SEMI JOIN chosen USING (run_id, task_id) WHERE is_one_of(getvariable('runs'), run_id)
), mine AS (
	SELECT run_id, task_id, host_id, step, name, sample, attempt, status, started_at, ended_at FROM tasks
	WHERE is_one_of(getvariable('runs'), run_id) AND status <> 'queued' AND name <> ''
), later AS (
	SELECT t.run_id, t.task_id, count(*) AS attempts, bool_or(l.status = 'succeeded') AS succeeded,
		coalesce(min_by(l.task_id, l.started_at) FILTER (l.status = 'succeeded'), min_by(l.task_id, l.started_at)) AS later_id
	FROM (FROM mine SEMI JOIN chosen USING (run_id, task_id) WHERE is_failed(status)) AS t
	JOIN mine AS l ON l.run_id = t.run_id AND l.step = t.step AND l.name = t.name AND l.sample = t.sample AND l.started_at >= t.started_at
		AND (l.attempt > t.attempt OR (l.host_id <> t.host_id AND l.started_at >= t.ended_at))
	GROUP BY t.run_id, t.task_id
), seen AS ( -- until when each host of a run worked for it
	SELECT run_id, host_id, max(coalesce(ended_at, started_at)) AS until_at
	FROM executions WHERE is_one_of(getvariable('runs'), run_id) GROUP BY run_id, host_id
), noticed AS (
	SELECT run_id, task_id, max(coalesce(nullif(detail, ''), summary)) AS notice
	FROM events WHERE kind = 'spot_interruption' AND task_id <> '' AND is_one_of(getvariable('runs'), run_id) GROUP BY run_id, task_id
)
SELECT t.run_id, t.task_id AS id, t.step, t.name, t.sample, t.host_id, t.pid, t.start_ns, t.status, t.exit_code, t.signal, t.attempt,
	t.memory_requested_bytes, t.requested_by, t.started_at, t.ended_at,
	l.later_id, coalesce(l.attempts, 0) AS later_attempts, coalesce(l.succeeded, false) AS later_succeeded,
	t.status = 'lost' AND (n.notice IS NOT NULL OR (h.agent_stopped_at IS NULL AND h.seen_at < o.until_at - INTERVAL 1 MINUTE)) AS host_gone,
	h.instance_type, n.notice
FROM task AS t LEFT JOIN noticed AS n ON n.run_id = t.run_id AND n.task_id = t.task_id LEFT JOIN later AS l ON l.run_id = t.run_id AND l.task_id = t.task_id LEFT JOIN hosts AS h USING (host_id)
LEFT JOIN (
	SELECT a.run_id, a.host_id, max(b.until_at) AS until_at
	FROM (SELECT DISTINCT run_id, host_id FROM task) AS a JOIN seen AS b ON b.run_id = a.run_id AND b.host_id <> a.host_id
	GROUP BY a.run_id, a.host_id
) AS o ON o.run_id = t.run_id AND o.host_id = t.host_id
QUALIFY row_number() OVER (PARTITION BY t.run_id ORDER BY t.ended_at, t.task_id) <= $limit
ORDER BY t.run_id, t.ended_at, t.task_id;
