-- SPDX-License-Identifier: Apache-2.0
-- Which task fed which in run, at most limit_ pairs, those closed last first: the data that a task read from a file comes from
-- the task that wrote the file and closed it last before. A file is known by its inode on its host, so a rename changes
-- nothing. Data that a task wrote itself, or that the engine of the run wrote, has no source task; files that Python compiles
-- do not count. (A run may use a million files: only those that two tasks used are sorted, by number.)
CREATE OR REPLACE MACRO dataflow_by_run(runs_, limit_) AS TABLE
WITH numbered AS MATERIALIZED (
	SELECT run_id, task_id, row_number() OVER () AS task FROM tasks WHERE is_one_of(runs_, run_id)
), uses AS MATERIALIZED (
	SELECT hash(run_id, host_id, boot_id, file_id) AS file, coalesce(task, 0) AS task, reads, writes, last_at, moved_bytes, size_bytes
	FROM files LEFT JOIN numbered USING (run_id, task_id)
	WHERE is_one_of(runs_, run_id) AND kind = 'file' AND (reads OR writes)
), shared AS MATERIALIZED (
	SELECT file FROM uses GROUP BY file HAVING min(task) <> max(task) AND bool_or(writes)
), writers AS MATERIALIZED (
	FROM uses SEMI JOIN shared USING (file) WHERE writes
), readers AS MATERIALIZED (
	FROM uses SEMI JOIN shared USING (file) WHERE reads AND task > 0
), before AS MATERIALIZED (
	SELECT r.file, r.task AS to_task, r.writes AS updates, r.last_at AS read_at, r.moved_bytes AS read_bytes,
		w.task AS from_task, w.last_at AS closed_at, w.size_bytes
	FROM readers AS r ASOF LEFT JOIN writers AS w ON w.file = r.file AND w.last_at <=
		-- A task that reads and writes a file read what was there before it wrote.
		CASE WHEN r.writes THEN r.last_at - INTERVAL 1 MICROSECOND ELSE r.last_at END
), after AS (
	-- The kernel gives the time of use to a tick of its clock. Where no writer had closed the file before, it came from a
	-- writer that closed it within two of the longest ticks.
	SELECT b.* REPLACE (w.task AS from_task, w.last_at AS closed_at, w.size_bytes AS size_bytes)
	FROM (FROM before WHERE from_task IS NULL AND NOT updates) AS b
	JOIN writers AS w ON w.file = b.file AND w.last_at BETWEEN read_at AND read_at + INTERVAL 20 MILLISECOND
), fed AS MATERIALIZED (
	SELECT from_task, to_task, file, max(closed_at) AS closed_at, max(size_bytes) AS size_bytes,
		sum(read_bytes) AS read_bytes, bool_and(updates) AS updates
	FROM (FROM before UNION ALL FROM after)
	WHERE from_task > 0 AND from_task <> to_task
	GROUP BY from_task, to_task, file
), put AS (
	SELECT file, task, sum(moved_bytes) AS written_bytes FROM writers GROUP BY file, task
), named AS NOT MATERIALIZED (
	SELECT hash(run_id, host_id, boot_id, file_id) AS file, path FROM files
	WHERE is_one_of(runs_, run_id) AND kind = 'file' AND path <> ''
), refused AS MATERIALIZED (
	SELECT file, false AS updates FROM named WHERE contains(path, '/__pycache__/')
	UNION ALL
	-- An inode number is reused once its file is gone: an update under another name than before is of another file.
	SELECT file, true FROM named SEMI JOIN (FROM fed WHERE updates) USING (file) GROUP BY file HAVING min(path) <> max(path)
), linked AS (
	SELECT n.run_id, from_task, to_task, count(*) AS files, cut(sum(size_bytes)) AS size_bytes,
		cut(sum(written_bytes)) AS written_bytes, cut(sum(read_bytes)) AS read_bytes, max(closed_at) AS closed_at,
		(max(size_bytes::UHUGEINT << 64 | fed.file) & 18446744073709551615)::UBIGINT AS example_file -- the largest file
	FROM fed JOIN numbered AS n ON n.task = from_task LEFT JOIN put ON put.file = fed.file AND put.task = from_task
	ANTI JOIN refused AS r ON r.file = fed.file AND fed.updates >= r.updates
	GROUP BY n.run_id, from_task, to_task
), edges AS MATERIALIZED (
	FROM linked QUALIFY row_number() OVER (PARTITION BY run_id ORDER BY closed_at DESC, from_task, to_task) <= limit_
)
SELECT f.run_id, row_number() OVER (PARTITION BY f.run_id ORDER BY closed_at DESC, f.task_id, t.task_id) AS place,
	f.task_id AS from_id, t.task_id AS to_id, files, size_bytes, written_bytes, read_bytes, closed_at, path
FROM edges
JOIN numbered AS f ON f.task = from_task
JOIN numbered AS t ON t.task = to_task
LEFT JOIN (
	SELECT file, max(path) AS path FROM named SEMI JOIN edges ON file = example_file GROUP BY file
) AS p ON file = example_file;
CREATE OR REPLACE MACRO dataflow_of(run, limit_) AS TABLE SELECT * EXCLUDE (run_id, place) FROM dataflow_by_run([run], limit_) ORDER BY place;

-- The tasks of a run as its dataflow needs them, in the order of their start; of more than limit_ the last.
-- untold_opens: opens of files with unknown paths, so that the source of their data is not known.
CREATE OR REPLACE MACRO dataflow_tasks_by_run(runs_, limit_) AS TABLE
SELECT t.run_id, row_number() OVER (PARTITION BY t.run_id ORDER BY coalesce(epoch_us(started_at), 0), t.task_id) AS place,
	t.task_id AS id, step, name, sample, started_at, ended_at, coalesce(untold_opens, 0) AS untold_opens
FROM (
	FROM tasks WHERE is_one_of(runs_, run_id)
	QUALIFY row_number() OVER (PARTITION BY run_id ORDER BY coalesce(epoch_us(started_at), 0) DESC, task_id DESC) <= limit_
) AS t
LEFT JOIN (
	SELECT run_id, task_id, cut(sum(opens)) AS untold_opens FROM files
	WHERE is_one_of(runs_, run_id) AND kind = 'more' GROUP BY run_id, task_id
) AS m USING (run_id, task_id);
CREATE OR REPLACE MACRO dataflow_tasks_of(run, limit_) AS TABLE
SELECT * EXCLUDE (run_id, place) FROM dataflow_tasks_by_run([run], limit_) ORDER BY place;
