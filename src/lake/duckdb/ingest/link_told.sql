-- SPDX-License-Identifier: Apache-2.0
-- Finds which of our runs and tasks engines told of. Run again and again: either may come first. Only what was heard of
-- within a week is looked for; Snakemake's jobs, which may be several tasks each, until a day after the end of their run.
CREATE OR REPLACE TEMP TABLE sought AS
SELECT told_id, task, workdir, command, outputs, created_at AS heard_at FROM told_tasks
WHERE created_at > now_at() - INTERVAL 7 DAY AND status <> 'cached'
	AND ((workdir <> '' AND (told_id, task) NOT IN (SELECT (told_id, task) FROM task_links))
		OR (workdir = '' AND told_id NOT IN (SELECT told_id FROM run_links JOIN runs USING (run_id)
			WHERE ended_at < now_at() - INTERVAL 1 DAY)));

-- A task that has a folder of its own is known by it.
INSERT INTO task_links
SELECT DISTINCT ON (t.task_id) t.task_id, w.told_id, w.task
FROM sought AS w JOIN tasks AS t ON t.folder = w.workdir
WHERE w.workdir <> '' AND t.created_at >= (SELECT min(heard_at) - INTERVAL 1 DAY FROM sought)
	AND t.task_id NOT IN (SELECT task_id FROM task_links)
ORDER BY t.task_id, w.told_id, w.task;

-- A run is the one whose tasks were told of; one of no such task yet, that which the engine began shortly before in the same
-- folder, or by the same command. What was found so is looked for anew for a minute: the right run's record may come after
-- that of another.
DELETE FROM run_links WHERE reason = 'folder' AND told_id IN (
	SELECT told_id FROM told_runs WHERE begun_at > now_at() - INTERVAL 1 MINUTE
	UNION SELECT told_id FROM task_links);
INSERT INTO run_links
SELECT arg_max(run_id, tasks), told_id, 'tasks'
FROM (SELECT told_id, run_id, count(*) AS tasks FROM task_links JOIN tasks USING (task_id) GROUP BY ALL)
WHERE told_id NOT IN (SELECT told_id FROM run_links)
GROUP BY told_id;
INSERT INTO run_links
SELECT DISTINCT ON (w.told_id) r.run_id, w.told_id, 'folder'
FROM told_runs AS w JOIN runs AS r
	ON r.engine = w.engine AND (r.cwd = w.cwd OR (w.command <> '' AND ends_with(r.command, w.command)))
WHERE w.cwd <> '' AND w.begun_at > now_at() - INTERVAL 7 DAY
	AND r.started_at BETWEEN w.begun_at - INTERVAL 2 MINUTE AND w.begun_at + INTERVAL 2 SECOND
	AND coalesce(r.ended_at >= w.begun_at - INTERVAL 2 SECOND, true)
	AND w.told_id NOT IN (SELECT told_id FROM run_links) AND r.run_id NOT IN (SELECT run_id FROM run_links)
	AND r.run_id NOT IN (SELECT part_id FROM parts)
ORDER BY w.told_id, w.command <> '' AND ends_with(r.command, w.command) DESC, r.started_at DESC, r.run_id;

-- A job of Snakemake's is what runs its command, else what wrote its files: where that is one job alone.
INSERT INTO task_links
SELECT task_id, any_value(told_id), any_value(task)
FROM (
	SELECT t.task_id, w.told_id, w.task
	FROM sought AS w JOIN run_links AS l USING (told_id) JOIN tasks AS t USING (run_id)
	JOIN executions AS e USING (task_id, host_id, pid, start_ns)
	WHERE w.command <> '' AND job_command(e.argv) = w.command
)
WHERE task_id NOT IN (SELECT task_id FROM task_links)
GROUP BY task_id HAVING count(DISTINCT task) = 1;
INSERT INTO task_links
SELECT task_id, any_value(told_id), any_value(task)
FROM (
	SELECT told_id, task, run_id, CASE WHEN starts_with(output, '/') THEN output ELSE cwd || '/' || output END AS path
	FROM (SELECT told_id, task, unnest(outputs) AS output FROM sought) JOIN run_links USING (told_id)
	JOIN (SELECT told_id, cwd FROM told_runs) USING (told_id)
) JOIN (
	SELECT run_id, task_id, max(path) AS path FROM files
	WHERE run_id IN (SELECT run_id FROM run_links JOIN sought USING (told_id)) AND task_id <> ''
		AND task_id NOT IN (SELECT task_id FROM task_links)
	GROUP BY run_id, task_id, host_id, pid, start_ns, image_seq, file_id HAVING bool_or(writes)
) USING (run_id, path)
GROUP BY task_id HAVING count(DISTINCT task) = 1;
