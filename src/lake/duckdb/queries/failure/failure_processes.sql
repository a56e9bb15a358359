-- SPDX-License-Identifier: Apache-2.0
-- Processes as the analysis of failures sees them, a row each, with how their last image ended: first those of no task that
-- failed, then those of the tasks, then the others of no task. argv: up to 16 arguments, each followed by chr(31), cut.
SELECT p.host_id, p.pid, p.start_ns, e.ppid, e.parent_start_ns, tool_name(e.tool, e.exe) AS tool, e.tool_kind,
	left(array_to_string(list_transform(e.argv[1:16], lambda a: left(a, 1000) || chr(31)), ''), 2000) AS argv,
	e.status, e.exit_code, e.signal, e.task_id, p.started_at, e.ended_at, p.pipe_in, p.pipe_out, p.rss_peak_bytes
FROM failure_processes_of($run) AS p
JOIN (SELECT * FROM executions WHERE run_id = $run) AS e USING (host_id, pid, start_ns, image_seq)
ORDER BY CASE WHEN p.task_id <> '' THEN 1 WHEN is_failed(p.status) THEN 0 ELSE 2 END, p.started_at, p.host_id, p.pid, p.start_ns
LIMIT $limit OFFSET $offset;
