-- SPDX-License-Identifier: Apache-2.0
-- The status of runs that consist of equal parts (those of a trace, the pods of a workflow, the jobs of an array, a container),
-- none of which runs the others: running while one of them runs; failed where one of them failed, unless each failed task had a
-- later attempt. Jobs of an engine on another host are left out: there the end of the engine counts.
CREATE OR REPLACE VIEW merged_run_status AS
WITH heads AS (
	SELECT p.run_id, p.part_id
	FROM parts AS p JOIN links AS l ON l.run_id = p.part_id AND l.kind = p.reason AND l.value = p.value AND l.lead
), retried AS (
	SELECT run_id, count(*) AS tries
	FROM tasks AS t SEMI JOIN tasks AS later
		ON later.run_id = t.run_id AND later.step = t.step AND later.sample = t.sample AND later.attempt > t.attempt
	WHERE is_failed(t.status) AND t.run_id IN (SELECT run_id FROM parts WHERE reason = 'workflow')
	GROUP BY run_id
)
SELECT p.run_id, CASE WHEN bool_or(r.status = 'running') THEN 'running'
	WHEN count(*) FILTER (is_failed(r.status)) > coalesce(any_value(m.tries), 0)
		THEN CASE WHEN bool_or(r.status = 'failed') THEN 'failed' ELSE 'killed' END
	WHEN bool_or(r.status = 'lost') THEN 'lost' ELSE 'succeeded' END AS status,
	CASE WHEN NOT bool_or(r.status = 'running') THEN max(r.ended_at) END AS ended_at
FROM (FROM heads UNION SELECT run_id, run_id FROM heads) AS p JOIN runs AS r ON r.run_id = p.part_id
LEFT JOIN retried AS m ON m.run_id = p.run_id
GROUP BY p.run_id;
-- Its name in files of earlier versions.
DROP VIEW IF EXISTS wholes;
