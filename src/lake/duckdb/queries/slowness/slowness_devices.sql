-- SPDX-License-Identifier: Apache-2.0
-- The requests of each step of a run to block devices ('': of no task), those with the longest total time first.
SELECT coalesce(t.step, '') AS step, device AS name, operation, cut(sum(requests)) AS requests, cut(sum(bytes)) AS bytes,
	cut(sum(latency_ns)) AS latency_ns, to_json(add_latencies(latencies)) AS latencies
FROM io_latencies AS i LEFT JOIN task_steps_of($run) AS t ON t.task_id = i.task_id
WHERE run_id = $run AND device <> '' AND operation IN ('read', 'write', 'flush')
GROUP BY ALL ORDER BY sum(latency_ns) DESC, step, name, operation LIMIT $limit;
