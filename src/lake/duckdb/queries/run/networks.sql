-- SPDX-License-Identifier: Apache-2.0
-- What the executions of a run moved through sockets, those that moved most first. $task, $tool: NULL for all; $task '': of no
-- task. First the rows are found, then their executions, which are looked at before only for a tool.
WITH page AS (
	SELECT n.*
	FROM networks AS n
	LEFT JOIN (
		SELECT host_id, pid, start_ns, image_seq, tool, exe FROM executions WHERE run_id = $run AND $tool::VARCHAR IS NOT NULL
	) AS e USING (host_id, pid, start_ns, image_seq)
	WHERE n.run_id = $run
		AND ($task::VARCHAR IS NULL OR n.task_id = $task)
		AND ($tool::VARCHAR IS NULL OR tool_name(coalesce(e.tool, ''), coalesce(e.exe, '')) = $tool)
	ORDER BY n.rx_bytes + n.tx_bytes DESC, n.host_id, n.pid, n.start_ns, n.image_seq, n.family, n.protocol, n.loopback
	LIMIT $limit
)
SELECT n.pid, n.start_ns, n.image_seq, tool_name(coalesce(e.tool, ''), coalesce(e.exe, '')) AS tool,
	nullif(n.task_id, '') AS task_id, n.host_id, h.hostname AS host, n.family, n.protocol, n.loopback,
	n.rx_bytes, n.tx_bytes, n.rx_calls, n.tx_calls, n.connects, n.accepts, n.connect_failures, n.resets,
	n.retransmits, n.connect_ns, nullif(n.peer, '') AS peer
FROM page AS n
LEFT JOIN (
	SELECT host_id, pid, start_ns, image_seq, tool, exe FROM executions WHERE run_id = $run
) AS e USING (host_id, pid, start_ns, image_seq)
LEFT JOIN hosts AS h USING (host_id)
ORDER BY n.rx_bytes + n.tx_bytes DESC, n.host_id, n.pid, n.start_ns, n.image_seq, n.family, n.protocol, n.loopback;
