-- SPDX-License-Identifier: Apache-2.0
-- A number that changes when anything changes that wall_images reads of a run: executions, tasks, the names that its engine reported.
-- open: a task or an execution of it runs, or an execution was lost or found, and samples may know more of it than its record.
SELECT e.open OR t.open AS open, (hash(e.count, e.sequence, e.created_at, t.count, t.sequence, t.created_at, w.count, w.sequence,
	w.created_at, l.count) >> 1)::BIGINT AS stamp
FROM (
	SELECT coalesce(bool_or(status IN ('running', 'lost') OR found), false) AS open, count(*) AS count, sum(sequence) AS sequence,
		max(created_at) AS created_at
	FROM executions WHERE run_id = $run
) AS e, (
	SELECT coalesce(bool_or(status = 'running'), false) AS open, count(*) AS count, sum(sequence) AS sequence,
		max(created_at) AS created_at
	FROM tasks WHERE run_id = $run
) AS t, (
	SELECT count(*) AS count, sum(sequence) AS sequence, max(created_at) AS created_at
	FROM told_tasks WHERE told_id IN (SELECT told_id FROM run_links WHERE run_id = $run)
) AS w, (
	SELECT count(*) AS count FROM task_links WHERE told_id IN (SELECT told_id FROM run_links WHERE run_id = $run)
) AS l;
