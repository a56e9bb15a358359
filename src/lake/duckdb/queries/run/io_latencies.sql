-- SPDX-License-Identifier: Apache-2.0
-- The requests of the executions of a run to block devices, those with the longest total time first. $task, $tool: NULL for
-- all; $task '': of no task. First the rows are found, then their latencies are added up and their executions found, which are
-- looked at before only for a tool.
WITH page AS (
	SELECT i.*
	FROM (
		SELECT host_id, pid, start_ns, image_seq, task_id, device, operation, cut(sum(latency_ns)) AS latency_ns
		FROM io_latencies WHERE run_id = $run AND ($task::VARCHAR IS NULL OR task_id = $task)
		GROUP BY host_id, pid, start_ns, image_seq, task_id, device, operation
	) AS i
	LEFT JOIN (
		SELECT host_id, pid, start_ns, image_seq, tool, exe FROM executions WHERE run_id = $run AND $tool::VARCHAR IS NOT NULL
	) AS e USING (host_id, pid, start_ns, image_seq)
	WHERE $tool::VARCHAR IS NULL OR tool_name(coalesce(e.tool, ''), coalesce(e.exe, '')) = $tool
	ORDER BY i.latency_ns DESC, i.host_id, i.pid, i.start_ns, i.image_seq, i.device, i.operation
	LIMIT $limit
), summed AS (
	SELECT host_id, pid, start_ns, image_seq, task_id, device, operation, p.latency_ns,
		cut(sum(requests)) AS requests, cut(sum(bytes)) AS bytes, cut(sum(failures)) AS failures,
		cut(sum(unfinished)) AS unfinished, to_json(add_latencies(latencies)) AS latencies
	FROM io_latencies AS i JOIN page AS p USING (host_id, pid, start_ns, image_seq, task_id, device, operation)
	WHERE i.run_id = $run
	GROUP BY ALL
)
SELECT i.pid, i.start_ns, i.image_seq, tool_name(coalesce(e.tool, ''), coalesce(e.exe, '')) AS tool,
	nullif(i.task_id, '') AS task_id, i.host_id, h.hostname AS host, nullif(i.device, '') AS device, i.operation,
	i.requests, i.bytes, i.failures, i.unfinished, i.latency_ns, i.latencies
FROM summed AS i
LEFT JOIN (
	SELECT host_id, pid, start_ns, image_seq, tool, exe FROM executions WHERE run_id = $run
) AS e USING (host_id, pid, start_ns, image_seq)
LEFT JOIN hosts AS h USING (host_id)
ORDER BY i.latency_ns DESC, i.host_id, i.pid, i.start_ns, i.image_seq, i.device, i.operation;
