-- SPDX-License-Identifier: Apache-2.0
-- The tasks of a run, in the order of their start; queued ones last, cached ones first. $step, $status: NULL for all.
SELECT *, cursor_of(coalesce(epoch_us(coalesce(started_at, queued_at)), 0), id) AS cursor
FROM tasks_of($run)
WHERE ($step::VARCHAR IS NULL OR step = $step) AND ($status::VARCHAR IS NULL OR status = $status)
	AND follows($cursor::VARCHAR, coalesce(epoch_us(coalesce(started_at, queued_at)), 0), id)
ORDER BY coalesce(epoch_us(coalesce(started_at, queued_at)), 0), id
LIMIT $limit;
