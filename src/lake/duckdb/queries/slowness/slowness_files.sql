-- SPDX-License-Identifier: Apache-2.0
-- The regular files of which each step of runs moved most ('': of no task), three of each step at most, the largest first; at most $limit
-- of a run.
WITH moved AS (
	SELECT f.run_id, coalesce(t.step, '') AS step, f.host_id, f.file_id, max(path) AS path, sum(moved_bytes) AS moved_bytes,
		bool_or(reads) AS reads, bool_or(writes) AS writes
	FROM files AS f LEFT JOIN task_steps_by_run(getvariable('runs')) AS t ON t.run_id = f.run_id AND t.task_id = f.task_id
	WHERE is_one_of(getvariable('runs'), f.run_id) AND kind = 'file' GROUP BY ALL
), most AS (
	FROM moved WHERE path <> '' AND moved_bytes > 0
	QUALIFY row_number() OVER (PARTITION BY run_id, step ORDER BY moved_bytes DESC, path) <= 3
)
SELECT run_id, step, path, cut(moved_bytes) AS moved_bytes, reads, writes FROM most
QUALIFY row_number() OVER (PARTITION BY run_id ORDER BY most.moved_bytes DESC, step, path) <= $limit
ORDER BY run_id, most.moved_bytes DESC, step, path;
