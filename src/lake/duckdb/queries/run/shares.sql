-- SPDX-License-Identifier: Apache-2.0
-- What a run's executions took, in two: those of tasks, and those of none (of_tasks false): its engine. Together they are the run's
-- sums. No row for what has no execution.
SELECT key AS of_tasks, executions, coverage_of(f) AS coverage, work_of(f) AS work_ns,
	f.* EXCLUDE (key, executions, executions_failed, executions_lost, executions_wall_s, executions_ended_at)
FROM figures_by([$run], task_id <> '') AS f
ORDER BY of_tasks DESC;
