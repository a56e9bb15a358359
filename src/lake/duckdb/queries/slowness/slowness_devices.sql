-- SPDX-License-Identifier: Apache-2.0
-- The requests of each step of runs to block devices ('': of no task), those with the longest total time first; at most $limit of a run.
WITH summed AS (
	SELECT i.run_id, coalesce(t.step, '') AS step, device AS name, operation, sum(requests) AS requests, sum(bytes) AS bytes,
		sum(latency_ns) AS latency_ns, add_latencies(latencies) AS latencies
	FROM io_latencies AS i LEFT JOIN task_steps_by_run(getvariable('runs')) AS t ON t.run_id = i.run_id AND t.task_id = i.task_id
	WHERE is_one_of(getvariable('runs'), i.run_id) AND device <> '' AND operation IN ('read', 'write', 'flush')
	GROUP BY ALL
)
SELECT run_id, step, name, operation, cut(requests) AS requests, cut(bytes) AS bytes, cut(latency_ns) AS latency_ns,
	to_json(latencies) AS latencies
FROM summed
QUALIFY row_number() OVER (PARTITION BY run_id ORDER BY summed.latency_ns DESC, step, name, operation) <= $limit
ORDER BY run_id, summed.latency_ns DESC, step, name, operation;
