-- SPDX-License-Identifier: Apache-2.0
-- The runs of a page of the list (runs.sql): from when to when they were (ended_at NULL: they run), and what they cost (kept_costs). NULL:
-- not known, or another one by now.
WITH page AS MATERIALIZED (
	FROM page_of_runs($reader::VARCHAR, $sort, $status::VARCHAR, $pipeline::VARCHAR, $cursor::VARCHAR, $limit)
), kept AS MATERIALIZED (
	SELECT k.number, k.run_id, k.cost FROM kept_costs AS k SEMI JOIN page USING (run_id) WHERE k.checked_at > k.changed_at
), numbers AS (
	SELECT coalesce(list(number), []) AS list FROM kept
)
SELECT p.run_id AS id, p.started_at, p.ended_at, k.cost
FROM page AS p LEFT JOIN (
	FROM kept ANTI JOIN costs_beside((SELECT list FROM numbers)) USING (number) ANTI JOIN costs_open((SELECT list FROM numbers)) USING (number)
) AS k USING (run_id)
ORDER BY p.rank DESC, run_id DESC;
