-- SPDX-License-Identifier: Apache-2.0
-- What hung in runs: each begin of a stall, with the end of it, where that came; at most $limit of a run.
SELECT b.run_id, b.task_id, b.pid, b.start_ns, b.summary, b.happened_at AS since_at, min(e.happened_at) AS until_at
FROM (SELECT *, rowid AS place FROM events WHERE is_one_of(getvariable('runs'), run_id) AND kind = 'stall_begin') AS b
LEFT JOIN (FROM events WHERE is_one_of(getvariable('runs'), run_id) AND kind = 'stall_end') AS e
	ON e.run_id = b.run_id AND e.pid = b.pid AND e.start_ns = b.start_ns AND e.happened_at >= b.happened_at
GROUP BY b.place, b.run_id, b.task_id, b.pid, b.start_ns, b.summary, b.happened_at
QUALIFY row_number() OVER (PARTITION BY b.run_id ORDER BY b.happened_at, b.pid) <= $limit
ORDER BY b.run_id, b.happened_at, b.pid;
