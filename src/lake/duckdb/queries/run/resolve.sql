-- SPDX-License-Identifier: Apache-2.0
-- The run that a person means by $run (docs/api.md has the order): its id or the id of a part of it, its name, the name that its
-- engine gave it, the name of its pipeline, or "latest", each the newest such run; else the start of one of these. Several rows:
-- several runs begin so (matches says how many; the newest 20 are returned). No row: there is none. Only runs that
-- $reader may read are looked at (may_read).
WITH named AS (
	SELECT coalesce(p.run_id, r.run_id) AS id, r.run_id, r.name, r.engine_run_name, r.pipeline, r.started_at, seen.name AS seen_name
	FROM runs_named AS r JOIN (SELECT run_id, name FROM runs) AS seen ON seen.run_id = r.run_id
	LEFT JOIN (SELECT part_id, run_id FROM parts) AS p ON p.part_id = r.run_id
	WHERE $reader::VARCHAR IS NULL OR coalesce(p.run_id, r.run_id) IN (
		SELECT run_id FROM runs WHERE may_read($reader::VARCHAR, "user", uid, labels))
), called AS (
	SELECT id, run_id, started_at, unnest([1, 2, 2, 3, 4, 5]) AS kind,
		unnest([run_id, name, seen_name, engine_run_name, pipeline, 'latest']) AS text
	FROM named
), meant AS (
	SELECT id, CASE WHEN text = $run THEN kind ELSE 6 END AS step
	FROM called
	WHERE text <> '' AND (text = $run OR (starts_with(text, $run) AND kind < 5))
	QUALIFY row_number() OVER (PARTITION BY kind, text ORDER BY started_at DESC NULLS LAST, run_id DESC) = 1
), best AS (
	SELECT DISTINCT id FROM (SELECT id, step, min(step) OVER () AS least FROM meant) WHERE step = least
)
SELECT r.run_id AS id, r.name, r.engine_run_name, r.pipeline, r.status, r.started_at, count(*) OVER () AS matches
FROM best AS b JOIN runs_named AS r ON r.run_id = b.id
ORDER BY r.started_at DESC NULLS LAST, r.run_id DESC
LIMIT 20;
