-- SPDX-License-Identifier: Apache-2.0
-- How much the lake holds, as one row. (Positional joins: the order of others, of ten tables, takes longer to plan than all else.)
FROM (SELECT count(*) AS hosts FROM hosts)
POSITIONAL JOIN (SELECT count(*) AS runs FROM runs ANTI JOIN parts ON part_id = runs.run_id)
POSITIONAL JOIN (
	SELECT count(*) AS runs_running FROM runs AS r LEFT JOIN merged_run_status AS m USING (run_id) ANTI JOIN parts ON part_id = r.run_id
	WHERE coalesce(m.status, r.status) = 'running')
POSITIONAL JOIN (SELECT count(*) AS tasks FROM tasks)
POSITIONAL JOIN (SELECT count(*) AS executions FROM executions)
POSITIONAL JOIN (SELECT count(*) AS samples FROM samples_packed)
POSITIONAL JOIN (SELECT count(*) AS host_samples FROM host_samples)
POSITIONAL JOIN (SELECT count(*) AS events FROM events)
POSITIONAL JOIN (SELECT coalesce(sum(count), 0) AS lost_records FROM losses)
POSITIONAL JOIN (SELECT count(*) AS batches FROM ledger);
