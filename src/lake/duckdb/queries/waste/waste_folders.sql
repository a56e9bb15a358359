-- SPDX-License-Identifier: Apache-2.0
-- Folders in which engines and scripts wrote $bytes or more until $now_at (NULL: now), and nothing since $unused_since, by settled runs, those
-- with most first, at most $limit: when tracked work wrote and read them last, on any host and in any run, also in those that go on. bytes: of the files as they were seen
-- last; of a folder with results that runs wrote again, of the run with most. known_since: no record of its host was lost since.
WITH written AS MATERIALIZED (
	SELECT f.host_id, f.path, bool_or(f.scratch) AS scratch,
		CASE WHEN bool_or(f.scratch) THEN sum(f.files) ELSE max(f.files) END::BIGINT AS files,
		CASE WHEN bool_or(f.scratch) THEN cut(sum(f.bytes)) ELSE max(f.bytes) END::BIGINT AS bytes,
		max(f.written_at) AS written_at, max(f.read_at) AS read_at, arg_max(f.number, f.written_at) AS number
	FROM settled_folders AS f
	WHERE f.files > 0 AND f.written_at <= last_of($now_at)
	GROUP BY f.host_id, f.path
	HAVING CASE WHEN bool_or(f.scratch) THEN sum(f.bytes) ELSE max(f.bytes) END >= $bytes AND max(f.written_at) < last_of($unused_since)
	ORDER BY 5 DESC, 1, 2 LIMIT $limit
), read AS (
	SELECT path, max(read_at) AS read_at FROM settled_folders WHERE files = 0 AND read_at <= last_of($now_at) GROUP BY path
), open AS (
	SELECT path, reads OR mapped AS reads, writes, last_at
	FROM files JOIN (SELECT run_id FROM runs WHERE run_id NOT IN (SELECT run_id FROM settled)) USING (run_id)
	WHERE kind = 'file' AND path <> '' AND last_at <= last_of($now_at)
), later AS (
	SELECT w.host_id, w.path, max(r.read_at) AS read_at, NULL::TIMESTAMP AS written_at
	FROM written AS w JOIN read AS r ON r.path = w.path OR starts_with(r.path, w.path || '/') GROUP BY ALL
	UNION ALL
	SELECT w.host_id, w.path, max(last_at) FILTER (reads), max(last_at) FILTER (writes)
	FROM written AS w JOIN open AS o ON o.path = w.path OR starts_with(o.path, w.path || '/') GROUP BY ALL
), uses AS (
	SELECT host_id, path, max(read_at) AS read_at, max(written_at) AS written_at FROM later GROUP BY host_id, path
), lost AS (
	SELECT host_id, max(until_at) AS until_at FROM losses WHERE what <> 'gpu' AND since_at <= last_of($now_at) GROUP BY host_id
)
SELECT w.host_id, w.path, r.name AS run_name, r.id AS run_id, r."user", r.pipeline, r.labels, w.files, w.bytes, w.scratch,
	greatest(w.written_at, u.written_at) AS written_at, greatest(w.read_at, u.read_at) AS read_at,
	coalesce(l.until_at, TIMESTAMP '2000-01-01') AS known_since
FROM written AS w JOIN (SELECT number, id, name, "user", pipeline, labels FROM settled_runs) AS r USING (number)
LEFT JOIN uses AS u ON u.host_id = w.host_id AND u.path = w.path
LEFT JOIN lost AS l ON l.host_id = w.host_id
ORDER BY w.bytes DESC, w.host_id, w.path;
