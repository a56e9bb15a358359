-- SPDX-License-Identifier: Apache-2.0
-- What the executions of a run used, in two rows: those of tasks, and those of no task (of_tasks false): the engine. Their sum is
-- that of the run. No row where there is no execution.
CREATE OR REPLACE MACRO shares_of(run) AS TABLE
SELECT key AS of_tasks, executions, coverage_of(f) AS coverage, work_of(f) AS work_ns,
	f.* EXCLUDE (key, executions, executions_failed, executions_lost, executions_wall_s, executions_ended_at)
FROM figures_by([run], task_id <> '') AS f
ORDER BY of_tasks DESC;

-- The steps of a run, in the order of their start.
CREATE OR REPLACE MACRO steps_of(run) AS TABLE
WITH task AS (
	SELECT t.step, t.status, t.started_at, t.queued_at,
		whole_wall_s(t.status, t.started_at, t.ended_at, f.executions_ended_at) AS wall_s,
		f.* EXCLUDE (key, executions_failed, executions_lost, executions_wall_s, executions_ended_at)
	FROM tasks_named AS t LEFT JOIN figures_by([run], task_id) AS f ON f.key = t.task_id
	WHERE t.run_id = run
), summed AS (
	SELECT step AS name, count(*) AS tasks, count(*) FILTER (is_failed(status)) AS failed,
		count(*) FILTER (status = 'lost') AS lost, min(coalesce(started_at, queued_at)) AS began_at,
		json_object('min', min(wall_s), 'median', median(wall_s), 'max', max(wall_s)) AS wall_s,
		sum(executions) AS executions, sum(COLUMNS(lambda f: is_sum(f) OR is_level(f))),
		max(COLUMNS(lambda f: is_peak(f)))
	FROM task GROUP BY step
)
SELECT name, tasks, failed, lost, coverage_of(s) AS coverage, work_of(s) AS work_ns,
	coalesce(COLUMNS(s.* EXCLUDE (name, tasks, failed, lost, began_at, wall_s)), 0), wall_s
FROM summed AS s ORDER BY began_at, name;

-- The tools of a run, the busiest first. wall_s is summed over executions. versions: those that are known. Unless all_ is
-- 'true', shells, launchers and helpers are one row, `helpers`; helpers in tasks in which no other tool ran are not.
CREATE OR REPLACE MACRO tools_of(run, all_) AS TABLE
WITH work AS (
	SELECT task_id FROM executions WHERE run_id = run AND task_id <> '' GROUP BY task_id
	HAVING bool_and(tool_kind IN ('shell', 'launcher', 'helper'))
), folded AS (
	SELECT tool_name(tool, exe) AS key FROM executions
	WHERE run_id = run AND all_ IS DISTINCT FROM 'true'
	GROUP BY ALL
	HAVING bool_and(tool_kind IN ('shell', 'launcher', 'helper'))
		AND NOT bool_or(tool_kind = 'helper' AND task_id IN (FROM work))
), named AS (
	SELECT tool_name(tool, exe) AS key, list(DISTINCT version) AS versions FROM executions
	WHERE run_id = run AND version <> '' AND tool_name(tool, exe) NOT IN (FROM folded) GROUP BY ALL
), summed AS (
	SELECT CASE WHEN key IN (FROM folded) THEN 'helpers' ELSE key END AS key, key IN (FROM folded) AS is_folded,
		cut(sum(executions)) AS executions, cut(sum(executions_failed)) AS executions_failed,
		cut(sum(executions_lost)) AS executions_lost,
		sum(executions_wall_s) AS executions_wall_s,
		sum(COLUMNS(lambda f: is_sum(f))), sum(COLUMNS(lambda f: is_level(f))), max(COLUMNS(lambda f: is_peak(f)))
	FROM figures_by([run], tool_name(tool, exe)) GROUP BY ALL
)
SELECT f.key AS name, CASE WHEN is_folded THEN 'helpers' ELSE 'tool' END AS kind,
	coalesce(to_json(list_sort(v.versions)), '[]'::JSON) AS versions,
	executions_failed AS failed, executions_lost AS lost, executions_wall_s AS wall_s,
	coverage_of(f) AS coverage, work_of(f) AS work_ns,
	f.* EXCLUDE (key, is_folded, executions_failed, executions_lost, executions_wall_s)
FROM summed AS f LEFT JOIN named AS v ON v.key = f.key AND NOT f.is_folded
ORDER BY user_ns + kernel_ns DESC, name;
