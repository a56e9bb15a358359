-- SPDX-License-Identifier: Apache-2.0
-- The figures of each tool of each step of runs; step '': of no task. Of more than $limit of a run those with most time.
WITH summed AS (
	SELECT key.run AS run_id, coalesce(t.step, '') AS step, key.tool AS name, sum(threads_ns) AS all_threads_ns,
		cut(sum(executions)) AS executions,
		cut(sum(COLUMNS(lambda f: is_sum(f)))), cut(sum(COLUMNS(lambda f: is_level(f)))), max(COLUMNS(lambda f: is_peak(f)))
	FROM figures_by(getvariable('runs'), { run: run_id, task: task_id, tool: tool_name(tool, exe) }) AS f
	LEFT JOIN task_steps_by_run(getvariable('runs')) AS t ON t.run_id = f.key.run AND t.task_id = f.key.task
	GROUP BY ALL
)
SELECT * EXCLUDE (all_threads_ns) FROM summed
QUALIFY row_number() OVER (PARTITION BY run_id ORDER BY all_threads_ns DESC, step, name) <= $limit
ORDER BY run_id, all_threads_ns DESC, step, name;
