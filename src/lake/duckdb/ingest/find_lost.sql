-- SPDX-License-Identifier: Apache-2.0
-- A row if close_lost.sql has anything to do, which after most scans it has not.
SELECT 1 FROM (
	SELECT host_id, created_at FROM executions WHERE status = 'running'
	UNION ALL SELECT host_id, created_at FROM tasks WHERE status = 'running'
	UNION ALL SELECT host_id, created_at FROM runs WHERE status = 'running'
) AS alive JOIN (SELECT host_id, arg_max(scanned_at, rowid) AS scanned_at FROM scans GROUP BY host_id) AS last USING (host_id)
WHERE alive.created_at < last.scanned_at
LIMIT 1;
