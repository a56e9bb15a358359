-- SPDX-License-Identifier: Apache-2.0
-- What hung in a run: each begin of a stall, with the end of it, where that came.
SELECT b.task_id, b.pid, b.start_ns, b.summary, b.happened_at AS since_at,
	(SELECT min(e.happened_at) FROM events AS e WHERE e.run_id = $run AND e.kind = 'stall_end' AND e.pid = b.pid
		AND e.start_ns = b.start_ns AND e.happened_at >= b.happened_at) AS until_at
FROM events AS b WHERE b.run_id = $run AND b.kind = 'stall_begin'
ORDER BY b.happened_at, b.pid LIMIT $limit;
