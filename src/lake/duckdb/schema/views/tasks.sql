-- SPDX-License-Identifier: Apache-2.0
-- The last two parts of the path of a folder that an engine made for one task: they are the same on every host, wherever it is mounted.
CREATE OR REPLACE MACRO own_folder(folder) AS regexp_extract(folder, '[^/]+/[^/]+$');

-- Tasks that one host reported as queued and that started on another host of the run: found by their folder. A
-- task without a known folder counts as the task of its step that was queued first; its time of queueing is unknown. (Where no task is queued,
-- DuckDB reads no other: it joins with an empty set of runs.)
CREATE OR REPLACE VIEW begun_elsewhere AS
WITH waiting AS (
	SELECT run_id, host_id, task_id, step, own_folder(folder) AS folder, queued_at,
		row_number() OVER (PARTITION BY run_id, step, folder = '' ORDER BY queued_at, task_id) AS place
	FROM tasks WHERE status = 'queued'
), begun AS (
	SELECT t.run_id, t.host_id, t.task_id, t.step, own_folder(t.folder) AS folder,
		row_number() OVER (PARTITION BY t.run_id, t.step, t.folder = '' ORDER BY t.started_at, t.task_id) AS place
	FROM (FROM tasks WHERE status <> 'queued' AND run_id IN (SELECT run_id FROM waiting)) AS t
	SEMI JOIN waiting AS w ON w.run_id = t.run_id AND w.host_id <> t.host_id
)
SELECT w.task_id AS queued_id, b.task_id, CASE WHEN w.folder <> '' THEN w.queued_at END AS queued_at
FROM waiting AS w JOIN begun AS b ON b.run_id = w.run_id AND b.host_id <> w.host_id AND b.folder = w.folder
	AND (w.folder <> '' OR (b.step = w.step AND b.place = w.place));

-- Which attempt each task with a name from its engine is, in runs of several agents: each agent counts only the tasks that it
-- saw.
CREATE OR REPLACE VIEW tries_elsewhere AS
SELECT task_id, 1 + count(*) FILTER (is_failed(status)) OVER (
	PARTITION BY run_id, name ORDER BY started_at, task_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS attempt
FROM tasks
WHERE folder <> '' AND name <> '' AND status <> 'queued' AND run_id IN (SELECT run_id FROM parts);

-- Tasks with the names that their engine reported, and tasks that the engine reported and that have no process: cached ones, and
-- queued ones while the run lasts. (Queued tasks that an agent saw are listed as long, too.)
CREATE OR REPLACE VIEW tasks_named AS
SELECT t.* REPLACE (
		coalesce(nullif(w.step, ''), t.step) AS step,
		coalesce(nullif(w.name, ''), t.name) AS name,
		coalesce(nullif(w.sample, ''), t.sample) AS sample,
		coalesce(nullif(w.attempt, 0), greatest(t.attempt, y.attempt)) AS attempt,
		coalesce(CASE WHEN w.submitted_at <= t.started_at THEN w.submitted_at END, t.queued_at, b.queued_at) AS queued_at,
		asked_for(t.cpus_requested, t.requested_by, w.cpus_requested) AS cpus_requested,
		asked_for(t.memory_requested_bytes, t.requested_by, w.memory_requested_bytes) AS memory_requested_bytes,
		asked_by(t.requested_by, r.engine, w.cpus_requested + w.memory_requested_bytes) AS requested_by),
	w.said_by AS told_by
FROM tasks AS t LEFT JOIN (SELECT run_id, engine, status AS run_status FROM runs) AS r ON r.run_id = t.run_id
LEFT JOIN tries_elsewhere AS y ON y.task_id = t.task_id
LEFT JOIN (SELECT task_id, min(queued_at) AS queued_at FROM begun_elsewhere GROUP BY task_id) AS b ON b.task_id = t.task_id
LEFT JOIN (
	SELECT task_id, told_tasks.* EXCLUDE (host_id, boot_id, agent_id, sequence, created_at)
	FROM task_links JOIN told_tasks USING (told_id, task)
) AS w ON w.task_id = t.task_id
WHERE t.status <> 'queued' OR (r.run_status = 'running' AND t.task_id NOT IN (SELECT queued_id FROM begun_elsewhere))
UNION ALL BY NAME
SELECT 'told/' || w.told_id || '/' || w.task AS task_id, l.run_id, w.step, w.name, w.sample, w.status, w.attempt,
	CASE WHEN w.status = 'queued' THEN w.submitted_at END AS queued_at, w.said_by AS told_by
FROM told_tasks AS w JOIN run_links AS l USING (told_id) JOIN runs AS r USING (run_id)
WHERE (w.status = 'cached' OR (w.status = 'queued' AND r.status = 'running'))
	AND (w.told_id, w.task) NOT IN (SELECT (told_id, task) FROM task_links)
	AND (w.status = 'cached' OR (l.run_id, w.name) NOT IN (SELECT (run_id, name) FROM tasks WHERE status = 'queued'));

-- The status of the same tasks, for who counts them: planned in a fraction of the time.
CREATE OR REPLACE VIEW task_states AS
SELECT t.run_id, t.status FROM tasks AS t
WHERE t.status <> 'queued' OR (t.run_id IN (SELECT run_id FROM runs WHERE status = 'running')
	AND t.task_id NOT IN (SELECT queued_id FROM begun_elsewhere))
UNION ALL
SELECT l.run_id, w.status FROM told_tasks AS w JOIN run_links AS l USING (told_id) JOIN runs AS r USING (run_id)
WHERE (w.status = 'cached' OR (w.status = 'queued' AND r.status = 'running'))
	AND (w.told_id, w.task) NOT IN (SELECT (told_id, task) FROM task_links)
	AND (w.status = 'cached' OR (l.run_id, w.name) NOT IN (SELECT (run_id, name) FROM tasks WHERE status = 'queued'));

-- The most memory that each task of runs can have held: the largest sum of the peaks of executions that were alive at the same
-- time. An upper bound: peaks need not coincide, and shared memory counts for each process. One running sum goes through all
-- tasks: after the last end of each task it is 0 again.
CREATE OR REPLACE MACRO memory_peaks(runs_) AS TABLE
WITH numbered AS (
	SELECT run_id, task_id, row_number() OVER () AS number FROM tasks WHERE is_one_of(runs_, run_id)
), alive AS (
	SELECT number, started_at, greatest(coalesce(ended_at, now_at()), started_at + INTERVAL 1 MICROSECOND) AS ended_at,
		rss_peak_bytes
	FROM execution_now_of(runs_) JOIN numbered USING (run_id, task_id) WHERE started_at IS NOT NULL
), summed AS (
	SELECT number, sum(delta) OVER (ORDER BY number, instant, delta ROWS UNBOUNDED PRECEDING) AS bytes
	FROM (
		SELECT number, started_at AS instant, rss_peak_bytes AS delta FROM alive
		UNION ALL SELECT number, ended_at, -rss_peak_bytes FROM alive
	)
)
SELECT task_id, cut(max(bytes)) AS memory_peak_bytes FROM summed JOIN numbered USING (number) GROUP BY task_id;
