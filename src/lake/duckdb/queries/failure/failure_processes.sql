-- SPDX-License-Identifier: Apache-2.0
-- Processes as the analysis of failures sees them, a row each, with how their last image ended: first those of no task that
-- failed, then those of the tasks, then the others of no task; of each run $limit behind $offset. argv: up to 16 arguments, each followed by
-- chr(31), cut.
WITH placed AS (
	SELECT *, row_number() OVER (PARTITION BY run_id ORDER BY CASE WHEN task_id <> '' THEN 1 WHEN is_failed(status) THEN 0 ELSE 2 END,
		started_at, host_id, pid, start_ns) AS place
	FROM failure_processes_by_run(getvariable('runs'))
)
SELECT p.run_id, p.host_id, p.pid, p.start_ns, e.ppid, e.parent_start_ns, tool_name(e.tool, e.exe) AS tool, e.tool_kind,
	left(array_to_string(list_transform(e.argv[1:16], lambda a: left(a, 1000) || chr(31)), ''), 2000) AS argv,
	e.status, e.exit_code, e.signal, e.task_id, p.started_at, e.ended_at, p.pipe_in, p.pipe_out, p.rss_peak_bytes
FROM placed AS p
JOIN (SELECT * FROM executions WHERE is_one_of(getvariable('runs'), run_id)) AS e USING (run_id, host_id, pid, start_ns, image_seq)
WHERE p.place > $offset AND p.place <= $offset + $limit
ORDER BY p.run_id, p.place;
