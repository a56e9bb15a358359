-- SPDX-License-Identifier: Apache-2.0
-- The executions of a run, in the order of their start. $task, $tool, $status: NULL for all; $task '': of no task. First the
-- rows of the page are found from few columns, then the other columns are read.
WITH mine AS (
	SELECT host_id, pid, start_ns, image_seq, coalesce(epoch_us(started_at), 0) AS rank
	FROM executions
	WHERE run_id = $run AND ($task::VARCHAR IS NULL OR task_id = $task)
		AND ($tool::VARCHAR IS NULL OR tool_name(tool, exe) = $tool)
		AND ($status::VARCHAR IS NULL OR status = $status)
		AND follows($cursor::VARCHAR, coalesce(epoch_us(started_at), 0),
			format('{}/{}/{}/{}', host_id, pid, start_ns, image_seq))
), page AS (
	SELECT *, format('{}/{}/{}/{}', host_id, pid, start_ns, image_seq) AS id
	FROM mine
	WHERE rank <= (SELECT max(rank) FROM (SELECT rank FROM mine ORDER BY rank LIMIT $limit))
	ORDER BY rank, id LIMIT $limit
)
SELECT e.pid, e.ppid, e.start_ns, e.image_seq, tool_name(e.tool, e.exe) AS tool, nullif(e.version, '') AS version, e.exe, to_json(e.argv) AS argv,
	e.argv_missing_bytes, e.cwd, nullif(e.task_id, '') AS task_id, e.host_id, h.hostname AS host, e.uid, e.status,
	e.started_at, e.ended_at, execution_wall_s(e.status, e.wall_ns, e.started_at, e.ended_at) AS wall_s,
	CASE WHEN e.status IN ('succeeded', 'failed') THEN e.exit_code END AS exit_code,
	nullif(e.signal, 0) AS signal, e.peak_exact, e.found,
	coverage_of(list_sum([*COLUMNS(lambda f: is_state(f))]), e.threads_ns) AS coverage,
	work_of(list_sum([*COLUMNS(lambda f: is_state(f))]), e.child_ns, e.sleep_ns, e.threads_ns) AS work_ns, COLUMNS(lambda f: is_figure(f)),
	cursor_of(page.rank, page.id) AS cursor
FROM page
JOIN (SELECT * FROM execution_now_of([$run]) WHERE run_id = $run) AS e USING (host_id, pid, start_ns, image_seq)
LEFT JOIN hosts AS h USING (host_id)
ORDER BY page.rank, page.id;
