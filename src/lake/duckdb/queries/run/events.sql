-- SPDX-License-Identifier: Apache-2.0
-- What happened in a run.
SELECT happened_at, kind, nullif(pid, 0) AS pid, nullif(start_ns, 0) AS start_ns, nullif(task_id, '') AS task_id, summary,
	nullif(sender_pid, 0) AS sender_pid, CASE WHEN sender_pid > 0 THEN sender_uid END AS sender_uid,
	nullif(sender, '') AS sender, nullif(code, 0) AS code, nullif(detail, '') AS detail, nullif(path, '') AS path,
	nullif(limit_bytes, 0) AS limit_bytes, nullif(used_bytes, 0) AS used_bytes, host_id
FROM events
WHERE run_id = $run
ORDER BY happened_at, kind, pid
LIMIT $limit;
