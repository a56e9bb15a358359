-- SPDX-License-Identifier: Apache-2.0
-- Samples with all their columns. A sample belongs to the run and task of its execution. Reading it joins four tables: a query about
-- many samples joins samples_packed to executions, and unpacks the figures of what is left.
CREATE OR REPLACE VIEW samples AS
SELECT k.host_id, b.boot_id, b.agent_id, b.sequence, b.created_at, k.pid, k.start_ns, k.image_seq,
	coalesce(e.run_id, '') AS run_id, coalesce(e.task_id, '') AS task_id, s.since_at, s.until_at,
	unnest(unpack_figures(s.figures))
FROM samples_packed AS s
JOIN execution_keys AS k USING (execution_key)
LEFT JOIN (SELECT execution_key, run_id, task_id FROM executions) AS e ON e.execution_key = s.execution_key
LEFT JOIN ledger AS b USING (batch_key);

-- The figures of samples of executions that are open: the sums of those that were rolled up, and the samples since. (A macro: the archive puts
-- views of its own in place of these tables.)
CREATE OR REPLACE MACRO sample_parts() AS TABLE
SELECT execution_key, until_at, figures FROM execution_sums
UNION ALL
SELECT execution_key, until_at, figures FROM samples_packed
WHERE sample_key > coalesce((SELECT max(sample_key) FROM samples_rolled), 0);
