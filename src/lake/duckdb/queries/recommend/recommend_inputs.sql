-- SPDX-License-Identifier: Apache-2.0
-- The sizes of the regular files that tasks of a run read and none of its processes wrote, each file of a host once: what would have to move
-- with the run. NULL: no file is known, or more than a twentieth of what was moved was in files that are not known one by one.
WITH used AS (
	SELECT kind, bool_or(writes) AS writes, max(size_bytes) AS size_bytes, sum(moved_bytes) AS moved_bytes
	FROM files WHERE run_id = $run AND kind IN ('file', 'more') GROUP BY kind, host_id, boot_id, file_id
)
SELECT CASE WHEN count(*) > 0 AND coalesce(sum(moved_bytes) FILTER (kind = 'more'), 0) * 20 <= sum(moved_bytes)
	THEN cut(coalesce(sum(size_bytes) FILTER (kind = 'file' AND NOT writes), 0)) END AS input_bytes
FROM used;
