-- SPDX-License-Identifier: Apache-2.0
-- The CPU time (user + kernel) of the tools of each run on each host, in tasks or in none, of executions alive between two instants
-- (NULL: no bound): as lines "NANOSECONDS TAB TOOL" (parts_of).
SELECT host_id, run_id, tools AS parts
FROM settled_activity_runs
SEMI JOIN (FROM settled_activity_of(first_of($since_at), last_of($until_at)) WHERE is_within) USING (run_id)
WHERE tools <> ''
UNION ALL
SELECT host_id, run_id, parts_of(tool, cpu_ns)
FROM (
	SELECT host_id, run_id, tool_name(tool, exe) AS tool, cut(sum(cpu_ns)) AS cpu_ns
	FROM work_besides(first_of($since_at), last_of($until_at))
	WHERE ($since_at::TIMESTAMP IS NULL OR coalesce(ended_at, now_at()) > $since_at)
		AND ($until_at::TIMESTAMP IS NULL OR started_at < $until_at)
	GROUP BY ALL
)
GROUP BY host_id, run_id;
