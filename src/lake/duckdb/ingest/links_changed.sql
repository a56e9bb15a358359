-- SPDX-License-Identifier: Apache-2.0
-- The runs of which links changed since links_before.sql.
WITH links_now AS (
	SELECT run_id, '' AS task_id, told_id, '' AS task FROM run_links
	UNION ALL SELECT '', task_id, told_id, task FROM task_links
), changed AS (
	(FROM links_now EXCEPT FROM links_before) UNION (FROM links_before EXCEPT FROM links_now)
)
SELECT run_id FROM changed WHERE run_id <> ''
UNION SELECT run_id FROM tasks WHERE task_id IN (SELECT task_id FROM changed WHERE task_id <> '');
