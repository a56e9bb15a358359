-- SPDX-License-Identifier: Apache-2.0
-- Which runs were on which hosts when, of those alive between two instants (NULL: no bound), and the CPU time (user + kernel,
-- over all of their time there) of the run and of its engine (its processes of no task).
WITH worked AS (
	SELECT host_id, run_id, since_at, until_at, cpu_ns, engine_cpu_ns FROM settled_activity_runs
	UNION ALL BY NAME
	SELECT host_id, run_id, min(started_at) AS since_at,
		max(coalesce(ended_at, now_at())) AS until_at,
		sum(cpu_ns) AS cpu_ns,
		coalesce(sum(cpu_ns) FILTER (task_id = ''), 0) AS engine_cpu_ns
	FROM work_besides(first_of(NULL), last_of(NULL)) GROUP BY host_id, run_id
)
SELECT w.host_id, w.run_id, r.name, r.pipeline, r.engine, r."user", r.status,
	least(w.since_at, CASE WHEN r.host_id = w.host_id THEN r.started_at END) AS since_at,
	greatest(w.until_at, CASE WHEN r.host_id = w.host_id AND r.status <> 'lost' THEN r.ended_at END) AS until_at,
	w.cpu_ns, w.engine_cpu_ns
FROM worked AS w JOIN billed_runs AS r USING (run_id)
WHERE ($since_at::TIMESTAMP IS NULL OR w.until_at > $since_at) AND ($until_at::TIMESTAMP IS NULL OR w.since_at < $until_at)
ORDER BY w.host_id, 8, w.run_id;
