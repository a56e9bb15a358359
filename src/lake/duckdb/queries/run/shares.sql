-- SPDX-License-Identifier: Apache-2.0
-- What the executions of a run used, in two rows: those of tasks, and those of no task (of_tasks false): the engine. Their sum is
-- that of the run. No row where there is no execution.
SELECT key AS of_tasks, executions, coverage_of(f) AS coverage, work_of(f) AS work_ns,
	f.* EXCLUDE (key, executions, executions_failed, executions_lost, executions_wall_s, executions_ended_at)
FROM figures_by([$run], task_id <> '') AS f
ORDER BY of_tasks DESC;
