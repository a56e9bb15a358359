-- SPDX-License-Identifier: Apache-2.0
-- GPUs of hosts at $now_at (NULL: now), by their samples since $since_at. known_since, known_until: the last time in which the driver said
-- how busy it is, without a gap of more than a minute; busy_until: the last instant at which it was busy for 1 % of a sample.
-- reserved_at: since when a process has it open, without a gap (NULL: none has). The run and task are those of the only tracked process of
-- the host that holds memory of a GPU; NULL: there is none, or there are several.
WITH sample AS (
	SELECT host_id, uuid, since_at, least(until_at, last_of($now_at)) AS until_at, busy_known_ns > 0 AS known, processes > 0 AS opened,
		busy_ns * 100 >= greatest(busy_known_ns, 1) AS busy
	FROM gpu_samples
	WHERE since_at < last_of($now_at) AND until_at > first_of($since_at) AND until_at > since_at
), parted AS (
	SELECT host_id, uuid, since_at, until_at, since_at - lag(until_at) OVER w > INTERVAL 1 MINUTE AS is_gap FROM sample
	WHERE known WINDOW w AS (PARTITION BY host_id, uuid ORDER BY since_at)
), known AS (
	SELECT host_id, uuid, max(until_at) AS known_until,
		coalesce(max(since_at) FILTER (is_gap), min(since_at)) AS known_since
	FROM parted GROUP BY host_id, uuid
), used AS (
	SELECT host_id, uuid, max(until_at) FILTER (busy) AS busy_until, max(until_at) FILTER (opened) AS opened_until,
		max(until_at) FILTER (NOT opened) AS closed_until, min(since_at) AS since_at, max(until_at) AS until_at
	FROM sample GROUP BY host_id, uuid
), holder AS (
	SELECT host_id, run_id, task_id, pid, started_at
	FROM execution_now_of((SELECT list(DISTINCT run_id) FROM executions SEMI JOIN used USING (host_id) WHERE status = 'running' AND run_id <> ''))
	WHERE status = 'running' AND started_at < last_of($now_at) AND (gpu_memory_bytes > 0 OR gpu_busy_ns > 0)
), alone AS (
	SELECT host_id, any_value(run_id) AS run_id, any_value(task_id) AS task_id, any_value(pid) AS pid, min(started_at) AS started_at
	FROM holder GROUP BY host_id HAVING count(DISTINCT (run_id, task_id)) = 1
)
SELECT g.host_id, g.uuid, g.name, k.known_since, k.known_until, u.busy_until,
	CASE WHEN u.opened_until = u.until_at THEN coalesce(a.started_at, u.closed_until, u.since_at) END AS reserved_at,
	a.run_id, nullif(a.task_id, '') AS task_id, CASE WHEN a.run_id IS NOT NULL THEN coalesce(nullif(t.name, ''), nullif(t.step, ''), r.name) END AS work,
	owner_of(r."user", r.uid) AS "user", r.labels, a.pid
FROM gpus AS g JOIN used AS u USING (host_id, uuid) LEFT JOIN known AS k USING (host_id, uuid)
LEFT JOIN alone AS a ON a.host_id = g.host_id AND u.opened_until = u.until_at
LEFT JOIN runs AS r ON r.run_id = a.run_id LEFT JOIN tasks AS t ON t.task_id = a.task_id
WHERE g.seen_at < last_of($now_at) AND (g.gone_at IS NULL OR g.gone_at >= $now_at::TIMESTAMP)
ORDER BY g.host_id, g."index", g.uuid;
