-- SPDX-License-Identifier: Apache-2.0
-- What was lost on the hosts of a run while it ran.
CREATE OR REPLACE MACRO losses_of(run) AS TABLE
SELECT l.* FROM losses AS l
WHERE l.host_id IN (
		SELECT host_id FROM executions WHERE run_id = run UNION SELECT host_id FROM runs WHERE run_id = run)
	AND l.until_at >= (SELECT started_at FROM runs WHERE run_id = run)
	AND l.since_at <= (SELECT coalesce(CASE WHEN status <> 'lost' THEN ended_at END, now_at()) FROM runs_named WHERE run_id = run);
