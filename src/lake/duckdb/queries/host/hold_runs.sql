-- SPDX-License-Identifier: Apache-2.0
-- The runs that were there between two instants (NULL: no bound), as their cost names them.
SELECT r.run_id AS id, r.name, r.pipeline, r.engine, r."user", nullif(m.cwd, '') AS cwd, m.labels, r.started_at, r.ended_at
FROM billed_runs AS r JOIN runs AS m USING (run_id)
WHERE ($until_at::TIMESTAMP IS NULL OR coalesce(r.started_at, m.created_at) < $until_at)
	AND ($since_at::TIMESTAMP IS NULL OR r.ended_at IS NULL OR r.status IN ('running', 'lost') OR r.ended_at > $since_at::TIMESTAMP - INTERVAL 1 DAY)
ORDER BY 1;
