-- What happened in a run.
SELECT happened_at, kind, nullif(pid, 0) AS pid, nullif(start_ns, 0) AS start_ns, nullif(task_id, '') AS task_id, summary
FROM events WHERE run_id = $run
ORDER BY happened_at, kind, pid
LIMIT $limit;
