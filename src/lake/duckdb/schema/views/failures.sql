-- SPDX-License-Identifier: Apache-2.0
-- The tasks of runs that the analysis of failures looks at: those that failed, then those that were lost, then those in which a
-- process failed; of each run and kind the first thousand.
CREATE OR REPLACE MACRO failure_tasks_by_run(runs_) AS TABLE
SELECT run_id, task_id FROM (
	SELECT run_id, task_id, ended_at, CASE WHEN is_failed(status) THEN 0 WHEN status = 'lost' THEN 1 ELSE 2 END AS rank
	FROM tasks
	WHERE is_one_of(runs_, run_id) AND status <> 'queued' AND (is_failed(status) OR status = 'lost' OR (run_id, task_id) IN (
		SELECT (run_id, task_id) FROM executions WHERE is_one_of(runs_, run_id) AND is_failed(status)))
	QUALIFY row_number() OVER (PARTITION BY run_id, rank ORDER BY ended_at, task_id) <= 1000
);

-- The processes of these tasks and of no task, the parents of failed ones, and what these parents started (what they did after
-- the failure, and whether they tried again): each with its last image and what its images have in common.
CREATE OR REPLACE MACRO failure_processes_by_run(runs_) AS TABLE
SELECT * EXCLUDE (ppid, parent_start_ns) FROM (
	SELECT run_id, host_id, pid, start_ns, max(image_seq) AS image_seq, min(started_at) AS started_at, max(pipe_in) AS pipe_in,
		max(pipe_out) AS pipe_out, max(rss_peak_bytes) AS rss_peak_bytes, arg_max(task_id, image_seq) AS task_id,
		arg_max(status, image_seq) AS status, any_value(ppid) AS ppid, any_value(parent_start_ns) AS parent_start_ns
	FROM executions WHERE is_one_of(runs_, run_id)
	GROUP BY run_id, host_id, pid, start_ns
)
WHERE task_id = '' OR (run_id, task_id) IN (SELECT (run_id, task_id) FROM failure_tasks_by_run(runs_)) OR
	(run_id, host_id, pid, start_ns) IN (
		SELECT (run_id, host_id, ppid, parent_start_ns) FROM executions WHERE is_one_of(runs_, run_id) AND is_failed(status)) OR
	(run_id, host_id, ppid, parent_start_ns) IN (
		SELECT (run_id, host_id, ppid, parent_start_ns) FROM executions
		WHERE is_one_of(runs_, run_id) AND is_failed(status) AND parent_start_ns > 0);
