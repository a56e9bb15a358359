-- SPDX-License-Identifier: Apache-2.0
-- The CPU time (user + kernel) of each task of $run on each host, of executions alive between two instants (NULL: no bound).
SELECT e.host_id, e.run_id, e.task_id, coalesce(t.step, '') AS step, sum(cpu_ns) AS cpu_ns,
	min(e.started_at) AS since_at, max(coalesce(e.ended_at, now_at())) AS until_at
FROM work_of([$run]) AS e LEFT JOIN task_steps AS t USING (task_id)
WHERE e.task_id <> ''
	AND ($since_at::TIMESTAMP IS NULL OR coalesce(e.ended_at, now_at()) > $since_at)
	AND ($until_at::TIMESTAMP IS NULL OR e.started_at < $until_at)
GROUP BY ALL ORDER BY e.host_id, e.run_id, e.task_id;
