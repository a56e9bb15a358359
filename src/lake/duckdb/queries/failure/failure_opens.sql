-- SPDX-License-Identifier: Apache-2.0
-- Of each process that failed, the last 32 paths that it failed to open, as events have them. An older agent counted them in
-- files, without paths (NULL); the counts are left out where its host has such events. opened_at: when it last used a regular file.
WITH failed AS (
	SELECT host_id, pid, start_ns FROM failure_processes_of($run) WHERE is_failed(status)
), used AS (
	SELECT host_id, pid, start_ns, f.kind, nullif(left(max(f.path), 1000), '') AS path, max(f.error) AS error,
		sum(f.failures) AS failures, max(f.last_at) AS last_at
	FROM files AS f JOIN failed USING (host_id, pid, start_ns)
	WHERE f.run_id = $run AND (f.kind = 'file' OR f.kind = 'failed' AND host_id NOT IN (
		SELECT host_id FROM events WHERE run_id = $run AND kind = 'open_failed'))
	GROUP BY host_id, pid, start_ns, f.image_seq, f.file_id, f.kind
	UNION ALL
	SELECT host_id, pid, start_ns, 'failed', nullif(left(v.path, 1000), ''), v.code, 1, v.happened_at
	FROM events AS v JOIN failed USING (host_id, pid, start_ns)
	WHERE v.run_id = $run AND v.kind = 'open_failed'
)
SELECT host_id, pid, start_ns, path, error, failures, last_at,
	max(last_at) FILTER (kind = 'file') OVER (PARTITION BY host_id, pid, start_ns) AS opened_at
FROM used
QUALIFY kind = 'failed' AND error > 0 AND row_number() OVER (PARTITION BY host_id, pid, start_ns, kind ORDER BY last_at DESC) <= 32
ORDER BY last_at
LIMIT $limit;
