-- SPDX-License-Identifier: Apache-2.0
-- The CPU time (user + kernel) of each tool in each task (empty: in no task), of executions alive between two instants (NULL:
-- no bound).
SELECT host_id, run_id, task_id, tool_name(tool, exe) AS tool, count(*) AS executions, sum(cpu_ns) AS cpu_ns
FROM execution_work
WHERE run_id <> ''
	AND ($since_at::TIMESTAMP IS NULL OR coalesce(ended_at, now_at()) > $since_at)
	AND ($until_at::TIMESTAMP IS NULL OR started_at < $until_at)
GROUP BY ALL ORDER BY host_id, run_id, task_id, tool;
