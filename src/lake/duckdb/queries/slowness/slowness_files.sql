-- SPDX-License-Identifier: Apache-2.0
-- The regular files of which each step of a run moved most ('': of no task), three of each step at most, the largest first.
WITH moved AS (
	SELECT coalesce(t.step, '') AS step, f.host_id, f.file_id, max(path) AS path, sum(moved_bytes) AS moved_bytes, bool_or(reads) AS reads,
		bool_or(writes) AS writes
	FROM files AS f LEFT JOIN task_steps_of($run) AS t ON t.task_id = f.task_id
	WHERE run_id = $run AND kind = 'file' GROUP BY ALL
)
SELECT step, path, cut(moved_bytes) AS moved_bytes, reads, writes FROM moved WHERE path <> '' AND moved_bytes > 0
QUALIFY row_number() OVER (PARTITION BY step ORDER BY moved_bytes DESC, path) <= 3
ORDER BY moved_bytes DESC, step, path LIMIT $limit;
