-- SPDX-License-Identifier: Apache-2.0
-- Finds which runs and tasks of agents the reports of engines are about. Runs again and again, as either may arrive first.
-- Only reports of the last week are looked for; jobs of Snakemake, each of which may be several tasks, until a day after the end
-- of their run.
CREATE OR REPLACE TEMP TABLE sought AS
SELECT told_id, task, workdir, command, outputs, created_at AS reported_at FROM told_tasks
WHERE created_at > now_at() - INTERVAL 7 DAY AND status <> 'cached'
	AND ((workdir <> '' AND (told_id, task) NOT IN (SELECT (told_id, task) FROM task_links))
		OR (workdir = '' AND told_id NOT IN (SELECT told_id FROM run_links JOIN runs USING (run_id)
			WHERE ended_at < now_at() - INTERVAL 1 DAY)));

-- A task with its own folder is found by the folder.
INSERT INTO task_links
SELECT DISTINCT ON (t.task_id) t.task_id, w.told_id, w.task
FROM sought AS w JOIN tasks AS t ON t.folder = w.workdir
WHERE w.workdir <> '' AND t.created_at >= (SELECT min(reported_at) - INTERVAL 1 DAY FROM sought)
	AND t.task_id NOT IN (SELECT task_id FROM task_links)
ORDER BY t.task_id, w.told_id, w.task;

-- A run is found by its tasks; where no task was found yet, it is the run that the same engine started shortly before in the same
-- folder, or by the same command. For a minute this second way is repeated: the record of the right run may arrive after that of
-- another one.
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

-- A job of Snakemake is the task that runs its command, else the task that wrote its files, where only one job fits.
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
