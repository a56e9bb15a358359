-- SPDX-License-Identifier: Apache-2.0
-- The runs of a page of the list (the variable `page`, duckdb_settled.c), the newest first, or the longest. Without wall time, which is not
-- the sum over executions (src/tune/wall.h).
WITH page AS MATERIALIZED (
	SELECT unnest(getvariable('page'), recursive := true)
)
SELECT r.* EXCLUDE (command, cwd,
		wall_computing_ns, wall_runnable_ns, wall_disk_ns, wall_paging_ns, wall_network_ns, wall_pipe_read_ns, wall_pipe_write_ns,
		wall_lock_ns, wall_child_ns, wall_sleep_ns, wall_poll_ns, wall_other_ns, wall_serial_ns)
	REPLACE (CASE WHEN $reader::VARCHAR IS NULL
			OR r.parent_run IN (SELECT run_id FROM runs WHERE may_read($reader::VARCHAR, "user", uid, labels))
		THEN r.parent_run END AS parent_run),
	cursor_of(page.rank, page.run_id) AS cursor
FROM page JOIN runs_listed((SELECT list(run_id) FROM page)) AS r ON r.id = page.run_id
ORDER BY page.rank DESC, page.run_id DESC;
