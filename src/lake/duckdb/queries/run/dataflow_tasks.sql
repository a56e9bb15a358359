-- SPDX-License-Identifier: Apache-2.0
-- The tasks of a run as its dataflow needs them, in the order of their start; of more than $limit the last.
-- untold_opens: opens of files with unknown paths, so that the source of their data is not known.
SELECT t.task_id AS id, step, name, sample, started_at, ended_at, coalesce(untold_opens, 0) AS untold_opens
FROM (
	FROM tasks WHERE run_id = $run ORDER BY coalesce(epoch_us(started_at), 0) DESC, task_id DESC LIMIT $limit
) AS t
LEFT JOIN (
	SELECT task_id, cut(sum(opens)) AS untold_opens FROM files WHERE run_id = $run AND kind = 'more' GROUP BY task_id
) AS m USING (task_id)
ORDER BY coalesce(epoch_us(started_at), 0), id;
