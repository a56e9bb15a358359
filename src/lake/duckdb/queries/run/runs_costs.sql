-- SPDX-License-Identifier: Apache-2.0
-- The runs of a page of the list (runs.sql): from when to when they were (ended_at NULL: they run), and what they cost (kept_costs; NULL:
-- not known).
SELECT p.run_id AS id, p.started_at, p.ended_at, CASE WHEN k.is_current THEN k.cost END AS cost
FROM page_of_runs($reader::VARCHAR, $sort, $status::VARCHAR, $pipeline::VARCHAR, $cursor::VARCHAR, $limit) AS p
LEFT JOIN kept_costs AS k USING (run_id) ORDER BY p.rank DESC, run_id DESC;
