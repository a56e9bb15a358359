-- SPDX-License-Identifier: Apache-2.0
-- The tasks of the settled runs that began since $since_at, run by run in the order of their begin, at most $limit: what they asked
-- for, what they used, and of which hosts they were. $reader: of may_read. Figures of an attempt without a known process are NULL.
WITH chosen AS MATERIALIZED (
	SELECT number, r.id AS run_id, r.engine, r.started_at AS run_started_at, r.ended_at AS run_ended_at
	FROM settled_runs AS r JOIN settled AS s USING (number)
	WHERE r.started_at >= $since_at::TIMESTAMP AND r.ended_at > r.started_at AND may_read($reader, r."user", s.uid, r.labels)
)
SELECT c.run_id, c.engine, c.run_started_at, c.run_ended_at, t.id, t.step, t.host_id, t.started_at, t.ended_at, t.queued_at,
	CASE WHEN t.executions > 0 THEN t.user_ns + t.kernel_ns END AS cpu_ns, t.cpus_requested, t.memory_requested_bytes,
	f.memory_charged_bytes, f.host_cpus, f.host_memory_bytes
FROM chosen AS c JOIN settled_tasks AS t USING (number)
LEFT JOIN settled_task_facts AS f ON f.number = t.number AND f.id = t.id
WHERE t.started_at IS NOT NULL AND t.ended_at > t.started_at
ORDER BY c.run_started_at, c.run_id, t.started_at, t.id LIMIT $limit;
