-- The tool executions of a run, in the order in which they began. $task, $tool, $status: NULL for all; $task '' for
-- those of no task.
SELECT e.pid, e.ppid, e.start_ns, e.image_seq, tool_name(e.tool, e.exe) AS tool, e.exe, to_json(e.argv) AS argv,
	e.argv_missing_bytes, e.cwd, nullif(e.task_id, '') AS task_id, e.host_id, h.hostname AS host, e.uid, e.status,
	e.started_at, e.ended_at, execution_wall_s(e.status, e.wall_ns, e.started_at, e.ended_at) AS wall_s,
	CASE WHEN e.status IN ('succeeded', 'failed') THEN e.exit_code END AS exit_code,
	nullif(e.signal, 0) AS signal, e.peak_exact, e.found,
	e.user_ns, e.kernel_ns, e.runnable_ns, e.minor_faults, e.major_faults, e.ctx_voluntary, e.ctx_involuntary,
	e.read_chars_bytes, e.write_chars_bytes, e.disk_read_bytes, e.disk_write_bytes,
	e.rss_bytes, e.rss_peak_bytes, e.threads_peak,
	cursor_of(e.rank, e.id) AS cursor
FROM (
	SELECT *, coalesce(epoch_us(started_at), 0) AS rank,
		format('{}/{}/{}/{}', host_id, pid, start_ns, image_seq) AS id
	FROM execution_now WHERE run_id = $run
) AS e
LEFT JOIN hosts AS h USING (host_id)
WHERE ($task::VARCHAR IS NULL OR e.task_id = $task)
	AND ($tool::VARCHAR IS NULL OR tool_name(e.tool, e.exe) = $tool)
	AND ($status::VARCHAR IS NULL OR e.status = $status)
	AND follows($cursor::VARCHAR, e.rank, e.id)
ORDER BY e.rank, e.id
LIMIT $limit;
