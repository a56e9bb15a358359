-- SPDX-License-Identifier: Apache-2.0
-- Macros *_by_run are about several runs, so that runs are settled together: most of the time of a query is its planning. Those of
-- one run are made of them.

-- What the executions of a run used, in two rows: those of tasks, and those of no task (of_tasks false): the engine. Their sum is
-- that of the run. No row where there is no execution.
CREATE OR REPLACE MACRO shares_by_run(runs_) AS TABLE
SELECT f.key.run AS run_id, f.key.of_tasks AS of_tasks, executions,
	coverage_of(list_sum([*COLUMNS(lambda f: is_state(f))]), f.threads_ns) AS coverage,
	work_of(list_sum([*COLUMNS(lambda f: is_state(f))]), f.child_ns, f.sleep_ns, f.threads_ns) AS work_ns,
	f.* EXCLUDE (key, executions, executions_failed, executions_lost, executions_wall_s, executions_ended_at)
FROM figures_by(runs_, { run: run_id, of_tasks: task_id <> '' }) AS f;
CREATE OR REPLACE MACRO shares_of(run) AS TABLE SELECT * EXCLUDE (run_id) FROM shares_by_run([run]) ORDER BY of_tasks DESC;

-- The steps of runs, in the order of their start (place).
CREATE OR REPLACE MACRO steps_by_run(runs_) AS TABLE
WITH task AS (
	SELECT t.run_id, t.step, t.status, t.started_at, t.queued_at,
		whole_wall_s(t.status, t.started_at, t.ended_at, f.executions_ended_at) AS wall_s,
		f.* EXCLUDE (key, executions_failed, executions_lost, executions_wall_s, executions_ended_at)
	FROM tasks_named AS t
	LEFT JOIN figures_by(runs_, { run: run_id, task: task_id }) AS f ON f.key.run = t.run_id AND f.key.task = t.task_id
	WHERE is_one_of(runs_, t.run_id)
), summed AS (
	SELECT run_id, step AS name, count(*) AS tasks, count(*) FILTER (is_failed(status)) AS failed,
		count(*) FILTER (status = 'lost') AS lost, min(coalesce(started_at, queued_at)) AS began_at,
		json_object('min', min(wall_s), 'median', median(wall_s), 'max', max(wall_s)) AS wall_s,
		sum(executions) AS executions, sum(COLUMNS(lambda f: is_sum(f) OR is_level(f))),
		max(COLUMNS(lambda f: is_peak(f)))
	FROM task GROUP BY run_id, step
)
SELECT run_id, row_number() OVER (PARTITION BY run_id ORDER BY began_at, name) AS place, name, tasks, failed, lost,
	coverage_of(list_sum([*COLUMNS(lambda f: is_state(f))]), s.threads_ns) AS coverage,
	work_of(list_sum([*COLUMNS(lambda f: is_state(f))]), s.child_ns, s.sleep_ns, s.threads_ns) AS work_ns,
	coalesce(COLUMNS(s.* EXCLUDE (run_id, name, tasks, failed, lost, began_at, wall_s)), 0), wall_s
FROM summed AS s;
CREATE OR REPLACE MACRO steps_of(run) AS TABLE SELECT * EXCLUDE (run_id, place) FROM steps_by_run([run]) ORDER BY place;

-- The tools of runs, the busiest first (place). wall_s is summed over executions. versions: those that are known. Unless all_ is
-- 'true', shells, launchers and helpers are one row, `helpers`; helpers in tasks in which no other tool ran are not.
CREATE OR REPLACE MACRO tools_by_run(runs_, all_) AS TABLE
WITH work AS (
	SELECT run_id, task_id FROM executions WHERE is_one_of(runs_, run_id) AND task_id <> '' GROUP BY ALL
	HAVING bool_and(tool_kind IN ('shell', 'launcher', 'helper'))
), folded AS (
	SELECT e.run_id, tool_name(tool, exe) AS key
	FROM executions AS e LEFT JOIN work AS w ON w.run_id = e.run_id AND w.task_id = e.task_id
	WHERE is_one_of(runs_, e.run_id) AND all_ IS DISTINCT FROM 'true'
	GROUP BY ALL
	HAVING bool_and(tool_kind IN ('shell', 'launcher', 'helper'))
		AND NOT bool_or(tool_kind = 'helper' AND w.task_id IS NOT NULL)
), named AS (
	SELECT run_id, tool_name(tool, exe) AS key, list(DISTINCT version) AS versions FROM executions
	WHERE is_one_of(runs_, run_id) AND version <> '' GROUP BY ALL
), summed AS (
	SELECT f.key.run AS run_id, CASE WHEN l.key IS NULL THEN f.key.tool ELSE 'helpers' END AS key, l.key IS NOT NULL AS is_folded,
		cut(sum(executions)) AS executions, cut(sum(executions_failed)) AS executions_failed,
		cut(sum(executions_lost)) AS executions_lost,
		sum(executions_wall_s) AS executions_wall_s,
		sum(COLUMNS(lambda f: is_sum(f))), sum(COLUMNS(lambda f: is_level(f))), max(COLUMNS(lambda f: is_peak(f)))
	FROM figures_by(runs_, { run: run_id, tool: tool_name(tool, exe) }) AS f
	LEFT JOIN folded AS l ON l.run_id = f.key.run AND l.key = f.key.tool
	GROUP BY ALL
)
SELECT f.run_id, row_number() OVER (PARTITION BY f.run_id ORDER BY user_ns + kernel_ns DESC, f.key) AS place, f.key AS name,
	CASE WHEN is_folded THEN 'helpers' ELSE 'tool' END AS kind,
	coalesce(to_json(list_sort(v.versions)), '[]'::JSON) AS versions,
	executions_failed AS failed, executions_lost AS lost, executions_wall_s AS wall_s,
	coverage_of(list_sum([*COLUMNS(lambda f: is_state(f))]), f.threads_ns) AS coverage,
	work_of(list_sum([*COLUMNS(lambda f: is_state(f))]), f.child_ns, f.sleep_ns, f.threads_ns) AS work_ns,
	f.* EXCLUDE (run_id, key, is_folded, executions_failed, executions_lost, executions_wall_s)
FROM summed AS f LEFT JOIN named AS v ON v.run_id = f.run_id AND v.key = f.key AND NOT f.is_folded;
CREATE OR REPLACE MACRO tools_of(run, all_) AS TABLE SELECT * EXCLUDE (run_id, place) FROM tools_by_run([run], all_) ORDER BY place;
