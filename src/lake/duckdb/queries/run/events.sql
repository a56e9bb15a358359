-- SPDX-License-Identifier: Apache-2.0
-- What happened in a run. routine: a process that ended with an exit code other than 0, or a program that was not found, in a
-- task that succeeded, or in no task of a run that did not fail.
SELECT happened_at, kind, nullif(pid, 0) AS pid, nullif(start_ns, 0) AS start_ns, nullif(task_id, '') AS task_id, summary,
	nullif(sender_pid, 0) AS sender_pid, CASE WHEN sender_pid > 0 THEN sender_uid END AS sender_uid,
	nullif(sender, '') AS sender, nullif(code, 0) AS code, nullif(detail, '') AS detail, nullif(path, '') AS path,
	nullif(limit_bytes, 0) AS limit_bytes, nullif(used_bytes, 0) AS used_bytes,
	kind IN ('exit_failed', 'exec_failed') AND CASE WHEN task_id <> '' THEN coalesce(t.status = 'succeeded', false)
		ELSE (SELECT status IN ('succeeded', 'running') FROM runs_named WHERE run_id = $run) END AS routine
FROM events LEFT JOIN (SELECT task_id, status FROM tasks WHERE run_id = $run) AS t USING (task_id)
WHERE run_id = $run
ORDER BY happened_at, kind, pid
LIMIT $limit;
