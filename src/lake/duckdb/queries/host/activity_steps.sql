-- SPDX-License-Identifier: Apache-2.0
-- The CPU time (user + kernel) of the steps of each run on each host, of executions alive between two instants (NULL: no bound): as
-- lines "NANOSECONDS TAB STEP" (parts_of).
SELECT host_id, run_id, steps AS parts
FROM settled_activity_runs
SEMI JOIN (FROM settled_activity_of(first_of($since_at), last_of($until_at)) WHERE is_within) USING (run_id)
WHERE steps <> ''
UNION ALL
SELECT host_id, run_id, parts_of(step, cpu_ns)
FROM (
	SELECT host_id, run_id, coalesce(t.step, '') AS step, cut(sum(cpu_ns)) AS cpu_ns
	FROM work_besides(first_of($since_at), last_of($until_at)) AS e LEFT JOIN task_steps AS t USING (task_id)
	WHERE e.task_id <> ''
		AND ($since_at::TIMESTAMP IS NULL OR coalesce(e.ended_at, now_at()) > $since_at)
		AND ($until_at::TIMESTAMP IS NULL OR e.started_at < $until_at)
	GROUP BY ALL
)
GROUP BY host_id, run_id;
