-- SPDX-License-Identifier: Apache-2.0
-- The tools of a run, the busiest first. wall_s is summed over executions. versions: those that are known. Unless $all is
-- 'true', shells, launchers and helpers are one row, `helpers`; helpers in tasks in which no other tool ran are not.
WITH work AS (
	SELECT task_id FROM executions WHERE run_id = $run AND task_id <> '' GROUP BY task_id
	HAVING bool_and(tool_kind IN ('shell', 'launcher', 'helper'))
), folded AS (
	SELECT tool_name(tool, exe) AS key FROM executions
	WHERE run_id = $run AND $all::VARCHAR IS DISTINCT FROM 'true'
	GROUP BY ALL
	HAVING bool_and(tool_kind IN ('shell', 'launcher', 'helper'))
		AND NOT bool_or(tool_kind = 'helper' AND task_id IN (FROM work))
), named AS (
	SELECT tool_name(tool, exe) AS key, list(DISTINCT version) AS versions FROM executions
	WHERE run_id = $run AND version <> '' AND tool_name(tool, exe) NOT IN (FROM folded) GROUP BY ALL
), summed AS (
	SELECT CASE WHEN key IN (FROM folded) THEN 'helpers' ELSE key END AS key, key IN (FROM folded) AS is_folded,
		cut(sum(executions)) AS executions, cut(sum(executions_failed)) AS executions_failed,
		cut(sum(executions_lost)) AS executions_lost,
		sum(executions_wall_s) AS executions_wall_s,
		sum(COLUMNS(lambda f: is_sum(f))), sum(COLUMNS(lambda f: is_level(f))), max(COLUMNS(lambda f: is_peak(f)))
	FROM figures_by([$run], tool_name(tool, exe)) GROUP BY ALL
)
SELECT f.key AS name, CASE WHEN is_folded THEN 'helpers' ELSE 'tool' END AS kind,
	coalesce(to_json(list_sort(v.versions)), '[]'::JSON) AS versions,
	executions_failed AS failed, executions_lost AS lost, executions_wall_s AS wall_s,
	coverage_of(f) AS coverage, work_of(f) AS work_ns,
	f.* EXCLUDE (key, is_folded, executions_failed, executions_lost, executions_wall_s)
FROM summed AS f LEFT JOIN named AS v ON v.key = f.key AND NOT f.is_folded
ORDER BY user_ns + kernel_ns DESC, name;
