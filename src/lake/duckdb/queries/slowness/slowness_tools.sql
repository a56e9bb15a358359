-- SPDX-License-Identifier: Apache-2.0
-- The figures of each tool of each step of a run; step '': of no task. Of more than $limit those with most time.
SELECT coalesce(t.step, '') AS step, key.tool AS name, cut(sum(executions)) AS executions,
	cut(sum(COLUMNS(lambda f: is_sum(f)))), cut(sum(COLUMNS(lambda f: is_level(f)))), max(COLUMNS(lambda f: is_peak(f)))
FROM figures_by([$run], { 'task': task_id, 'tool': tool_name(tool, exe) }) AS f
LEFT JOIN task_steps_of($run) AS t ON t.task_id = f.key.task
GROUP BY ALL
ORDER BY sum(threads_ns) DESC, step, name LIMIT $limit;
