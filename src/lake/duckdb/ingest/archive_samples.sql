-- SPDX-License-Identifier: Apache-2.0
-- What retention archives of the samples of a run (keep/duckdb_expire.c): execution_key and the columns of the view `samples`, which would
-- unpack the samples of all runs for it; and by which day and host.
SELECT s.execution_key, k.host_id, b.boot_id, b.agent_id, b.sequence, b.created_at, k.pid, k.start_ns, k.image_seq, e.run_id, e.task_id,
	s.since_at, s.until_at, unnest(unpack_figures(s.figures)), coalesce(strftime(s.until_at, '%Y-%m-%d'), 'unknown') AS day, k.host_id AS host
FROM samples_packed AS s
JOIN (SELECT execution_key, run_id, task_id FROM executions SEMI JOIN expiring USING (run_id)) AS e USING (execution_key)
JOIN execution_keys AS k USING (execution_key)
LEFT JOIN ledger AS b USING (batch_key)
