-- SPDX-License-Identifier: Apache-2.0
-- The CPU time (user + kernel) of each step of each run on each host, of executions alive between two instants (NULL: no bound).
SELECT host_id, run_id, step, cpu_ns
FROM settled_activity_steps
SEMI JOIN (FROM settled_activity_of(first_of($since_at), last_of($until_at)) WHERE is_within) USING (run_id)
UNION ALL
SELECT host_id, run_id, coalesce(t.step, ''), sum(cpu_ns)
FROM work_besides(first_of($since_at), last_of($until_at)) AS e LEFT JOIN task_steps AS t USING (task_id)
WHERE e.task_id <> ''
	AND ($since_at::TIMESTAMP IS NULL OR coalesce(e.ended_at, now_at()) > $since_at)
	AND ($until_at::TIMESTAMP IS NULL OR e.started_at < $until_at)
GROUP BY ALL;
