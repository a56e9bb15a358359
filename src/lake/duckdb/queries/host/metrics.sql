-- SPDX-License-Identifier: Apache-2.0
-- How much the lake holds, as one row.
SELECT (SELECT count(*) FROM hosts) AS hosts,
	(SELECT count(*) FROM runs ANTI JOIN parts ON part_id = runs.run_id) AS runs,
	(SELECT count(*) FROM runs AS r LEFT JOIN merged_run_status AS m USING (run_id) ANTI JOIN parts ON part_id = r.run_id
		WHERE coalesce(m.status, r.status) = 'running') AS runs_running,
	(SELECT count(*) FROM tasks) AS tasks,
	(SELECT count(*) FROM executions) AS executions,
	(SELECT count(*) FROM samples_packed) AS samples,
	(SELECT count(*) FROM host_samples) AS host_samples,
	(SELECT count(*) FROM events) AS events,
	(SELECT coalesce(sum(count), 0) FROM losses) AS lost_records,
	(SELECT count(*) FROM ledger) AS batches;
