-- SPDX-License-Identifier: Apache-2.0
-- The files of a run, by first use. $task, $tool, $kind: NULL for all; $task '': of no task. A file with a path but no counts
-- (lost, or not received yet) is not listed. First the rows of the page are found from few columns (a run may have a million
-- files), then their counts are added up. Of a first page, only the rows of an instant that enough files were used before are grouped.
WITH mine AS NOT MATERIALIZED (
	SELECT host_id, pid, start_ns, image_seq, file_id, epoch_us(first_at) AS used_at
	FROM files
	WHERE run_id = $run AND ($task::VARCHAR IS NULL OR task_id = $task) AND ($kind::VARCHAR IS NULL OR kind = $kind)
		AND (opens > 0 OR moved_bytes > 0 OR failures > 0)
		AND ($tool::VARCHAR IS NULL OR (host_id, pid, start_ns, image_seq) IN (
			SELECT (host_id, pid, start_ns, image_seq) FROM executions
			WHERE run_id = $run AND tool_name(tool, exe) = $tool))
), bound AS MATERIALIZED (
	SELECT CASE WHEN count(*) >= $limit THEN max(used_at) END AS used_at FROM (
		SELECT min(used_at) AS used_at
		FROM (FROM mine WHERE used_at IS NOT NULL ORDER BY used_at LIMIT 4 * $limit)
		GROUP BY host_id, pid, start_ns, image_seq, file_id
	) WHERE $cursor::VARCHAR IS NULL
), used AS (
	SELECT host_id, pid, start_ns, image_seq, file_id, coalesce(min(used_at), 0) AS rank
	FROM mine WHERE used_at IS NULL OR used_at <= coalesce((SELECT used_at FROM bound), 9223372036854775807)
	GROUP BY ALL
), following AS (
	SELECT * FROM used
	WHERE follows($cursor::VARCHAR, rank, format('{}/{}/{}/{}/{}', host_id, pid, start_ns, image_seq, file_id))
), page AS (
	SELECT *, format('{}/{}/{}/{}/{}', host_id, pid, start_ns, image_seq, file_id) AS id
	FROM following
	WHERE rank <= (SELECT max(rank) FROM (SELECT rank FROM following ORDER BY rank LIMIT $limit))
	ORDER BY rank, id LIMIT $limit
), summed AS (
	SELECT host_id, pid, start_ns, image_seq, file_id, rank, id, any_value(kind) AS kind, nullif(max(path), '') AS path,
		any_value(task_id) AS task_id, cut(sum(opens)) AS opens, cut(sum(failures)) AS failures,
		cut(sum(moved_bytes)) AS moved_bytes,
		arg_max(size_bytes, last_at) FILTER (opens > 0 OR moved_bytes > 0) AS size_bytes,
		bool_or(reads) AS reads, bool_or(writes) AS writes, bool_or(mapped) AS mapped, max(error) AS error,
		min(first_at) AS first_at, max(last_at) AS last_at
	FROM files JOIN page USING (host_id, pid, start_ns, image_seq, file_id)
	WHERE run_id = $run
	GROUP BY ALL
)
SELECT kind, path, opens, failures, moved_bytes, CASE WHEN kind = 'file' THEN size_bytes END AS size_bytes,
	reads, writes, mapped, nullif(error, 0) AS error, first_at, last_at,
	tool_name(e.tool, e.exe) AS tool, nullif(t.task_id, '') AS task_id, pid, start_ns, image_seq, host_id,
	h.hostname AS host, cursor_of(rank, id) AS cursor
FROM summed AS t
LEFT JOIN (SELECT host_id, pid, start_ns, image_seq, tool, exe FROM executions WHERE run_id = $run) AS e
	USING (host_id, pid, start_ns, image_seq)
LEFT JOIN hosts AS h USING (host_id)
ORDER BY rank, id;
