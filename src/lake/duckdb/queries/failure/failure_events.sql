-- SPDX-License-Identifier: Apache-2.0
-- What may have caused a failure of runs, in the order of time; at most $limit of a run.
SELECT v.run_id, v.kind, v.happened_at, v.host_id, v.pid, v.start_ns, v.code, v.detail, left(v.path, 1000) AS path, v.sender, v.sender_pid,
	v.sender_uid, v.limit_bytes, v.used_bytes, h.memory_bytes AS host_memory_bytes,
	coalesce(nullif(c.name, ''), c.container_id) AS container
FROM events AS v LEFT JOIN hosts AS h USING (host_id)
LEFT JOIN (
	SELECT host_id, boot_id, path, max(name) AS name, max(container_id) AS container_id
	FROM containers WHERE container_id <> '' GROUP BY ALL
) AS c ON v.kind = 'oom_kill' AND c.host_id = v.host_id AND c.boot_id = v.boot_id AND c.path = v.path
WHERE is_one_of(getvariable('runs'), v.run_id) AND (
	v.kind IN ('killed', 'oom_kill', 'exec_failed', 'disk_full', 'io_error', 'connect_failed')
	OR v.kind = 'exit_failed' AND v.sender <> '')
QUALIFY row_number() OVER (PARTITION BY v.run_id ORDER BY v.happened_at, v.kind, v.pid) <= $limit
ORDER BY v.run_id, v.happened_at, v.kind, v.pid;
