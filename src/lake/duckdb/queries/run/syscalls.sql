-- SPDX-License-Identifier: Apache-2.0
-- The system calls of a run where they were counted, by tool, class and error; those that took longest first. $task, $tool,
-- $class: NULL for all; $task '': of no task.
WITH counted AS (
	SELECT host_id, pid, start_ns, image_seq, class, error, cut(sum(calls)) AS calls, cut(sum(time_ns)) AS time_ns
	FROM syscalls
	WHERE run_id = $run AND ($task::VARCHAR IS NULL OR task_id = $task) AND ($class::VARCHAR IS NULL OR class = $class)
	GROUP BY ALL
)
SELECT tool_name(coalesce(e.tool, ''), coalesce(e.exe, '')) AS tool, class, nullif(error, '') AS error,
	cut(sum(calls)) AS calls, cut(sum(time_ns)) AS time_ns, count(*) AS executions
FROM counted
LEFT JOIN (SELECT host_id, pid, start_ns, image_seq, tool, exe FROM executions WHERE run_id = $run) AS e
	USING (host_id, pid, start_ns, image_seq)
WHERE $tool::VARCHAR IS NULL OR tool_name(coalesce(e.tool, ''), coalesce(e.exe, '')) = $tool
GROUP BY ALL
ORDER BY time_ns DESC, tool, class, error NULLS FIRST
LIMIT $limit;
