-- SPDX-License-Identifier: Apache-2.0
-- The last run of the pipeline of $run that began before it and has ended, of those that $reader may read (may_read). No row: there is none.
SELECT o.run_id AS id
FROM whole_runs AS r JOIN whole_runs AS o ON o.pipeline = r.pipeline AND o.started_at < r.started_at
WHERE r.run_id = $run AND r.pipeline <> '' AND o.status NOT IN ('queued', 'running', 'stalled')
	AND ($reader::VARCHAR IS NULL OR o.run_id IN (SELECT run_id FROM runs WHERE may_read($reader::VARCHAR, "user", uid, labels)))
ORDER BY o.started_at DESC, o.run_id DESC LIMIT 1;
