-- SPDX-License-Identifier: Apache-2.0
-- Of each process of runs that failed, the last 32 paths that it failed to open, as events have them; at most $limit of a run. An older
-- agent counted them in files, without paths (NULL); the counts are left out where its host has such events. opened_at: when it last used a
-- regular file.
WITH failed AS (
	SELECT run_id, host_id, pid, start_ns FROM failure_processes_by_run(getvariable('runs')) WHERE is_failed(status)
), used AS (
	SELECT run_id, host_id, pid, start_ns, f.kind, nullif(left(max(f.path), 1000), '') AS path, max(f.error) AS error,
		sum(f.failures) AS failures, max(f.last_at) AS last_at
	FROM files AS f JOIN failed USING (run_id, host_id, pid, start_ns)
	WHERE is_one_of(getvariable('runs'), run_id) AND (f.kind = 'file' OR f.kind = 'failed' AND (run_id, host_id) NOT IN (
		SELECT (run_id, host_id) FROM events WHERE is_one_of(getvariable('runs'), run_id) AND kind = 'open_failed'))
	GROUP BY run_id, host_id, pid, start_ns, f.image_seq, f.file_id, f.kind
	UNION ALL
	SELECT run_id, host_id, pid, start_ns, 'failed', nullif(left(v.path, 1000), ''), v.code, 1, v.happened_at
	FROM events AS v JOIN failed USING (run_id, host_id, pid, start_ns)
	WHERE is_one_of(getvariable('runs'), run_id) AND v.kind = 'open_failed'
), last AS (
	SELECT run_id, host_id, pid, start_ns, path, error, failures, last_at,
		max(last_at) FILTER (kind = 'file') OVER (PARTITION BY run_id, host_id, pid, start_ns) AS opened_at
	FROM used
	QUALIFY kind = 'failed' AND error > 0
		AND row_number() OVER (PARTITION BY run_id, host_id, pid, start_ns, kind ORDER BY last_at DESC) <= 32
)
FROM last
QUALIFY row_number() OVER (PARTITION BY run_id ORDER BY last_at) <= $limit
ORDER BY run_id, last_at;
