-- SPDX-License-Identifier: Apache-2.0
-- How runs did that none of their parts leads alone (a trace, a workflow's pods, the jobs of an array, a container): one that runs
-- is on, one that failed has failed all, unless what failed in it was done by a later try. What is a job of an engine elsewhere is
-- left out: the engine's own end counts.
CREATE OR REPLACE VIEW wholes AS
WITH led AS (
	SELECT p.run_id, p.part_id
	FROM parts AS p JOIN links AS l ON l.run_id = p.part_id AND l.kind = p.reason AND l.value = p.value AND l.lead
), mended AS (
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
FROM (FROM led UNION SELECT run_id, run_id FROM led) AS p JOIN runs AS r ON r.run_id = p.part_id
LEFT JOIN mended AS m ON m.run_id = p.run_id
GROUP BY p.run_id;
