-- SPDX-License-Identifier: Apache-2.0
-- Runs with the names that their engine reported: the name of the run only where its agent had to make one up. All other
-- columns are as agents report them.
CREATE OR REPLACE VIEW runs_named AS
SELECT r.* REPLACE (
		coalesce(a.status, r.status) AS status,
		CASE WHEN a.status IS NULL THEN r.ended_at ELSE a.ended_at END AS ended_at,
		CASE WHEN w.name <> '' AND ends_with(r.name, '-' || left(r.run_id, 6)) THEN w.name ELSE r.name END AS name,
		coalesce(nullif(w.pipeline, ''), r.pipeline) AS pipeline),
	w.said_by AS told_by, nullif(w.engine_run_id, '') AS engine_run_id,
	coalesce(nullif(w.name, ''), name_option(r.engine, r.command)) AS engine_run_name
FROM runs AS r LEFT JOIN (
	SELECT DISTINCT ON (run_id) run_id, told_runs.* EXCLUDE (host_id, boot_id, agent_id, sequence, created_at)
	FROM run_links JOIN told_runs USING (told_id) ORDER BY run_id, told_id
) AS w USING (run_id) LEFT JOIN merged_run_status AS a ON a.run_id = r.run_id;

-- Runs that are no part of another run.
CREATE OR REPLACE VIEW whole_runs AS FROM runs_named WHERE run_id NOT IN (SELECT part_id FROM parts);

-- The run in which a run was started, where that is known; where that is a part of another run, the other one.
CREATE OR REPLACE VIEW parent_runs AS
SELECT child.run_id, any_value(coalesce(p.run_id, outer_run.run_id)) AS parent_run
FROM runs AS child JOIN runs AS outer_run ON outer_run.run_id = child.parent_run_id
LEFT JOIN parts AS p ON p.part_id = child.parent_run_id
WHERE child.parent_run_id <> '' AND coalesce(p.run_id, outer_run.run_id) <> child.run_id
GROUP BY child.run_id;

-- Runs with their sums.
CREATE OR REPLACE MACRO runs_of(runs_) AS TABLE
SELECT r.run_id AS id, r.name, r.pipeline, r.engine, r.status, r."user", r.started_at,
	last_alive_at(r.status, r.ended_at, f.executions_ended_at) AS ended_at,
	whole_wall_s(r.status, r.started_at, r.ended_at, f.executions_ended_at) AS wall_s,
	coalesce(w.hosts, to_json([coalesce(h.hostname, r.host_id)])) AS hosts,
	r.labels,
	coalesce(t.tasks, 0) AS tasks, coalesce(t.failed, 0) AS tasks_failed, coalesce(t.lost, 0) AS tasks_lost,
	coalesce(t.running, 0) AS tasks_running,
	coalesce(COLUMNS(f.* EXCLUDE (key, executions_failed, executions_lost, executions_wall_s, executions_ended_at)), 0),
	r.told_by, r.engine_run_id, r.engine_run_name, p.parent_run, r.command, r.cwd
FROM runs_named AS r
LEFT JOIN hosts AS h USING (host_id)
LEFT JOIN parent_runs AS p ON p.run_id = r.run_id
LEFT JOIN figures_by(runs_, run_id) AS f ON f.key = r.run_id
LEFT JOIN (
	SELECT run_id, count(*) AS tasks, count(*) FILTER (is_failed(status)) AS failed, count(*) FILTER (status = 'lost') AS lost,
		count(*) FILTER (status = 'running') AS running
	FROM task_states WHERE is_one_of(runs_, run_id) GROUP BY run_id
) AS t ON t.run_id = r.run_id
LEFT JOIN (
	SELECT run_id, to_json(list_sort(list(DISTINCT coalesce(hostname, host_id)))) AS hosts
	FROM executions LEFT JOIN hosts USING (host_id)
	WHERE is_one_of(runs_, run_id) GROUP BY run_id
) AS w ON w.run_id = r.run_id
WHERE is_one_of(runs_, r.run_id);

-- From when to when runs were: until now, while they run; where one was lost, until the last record of it.
CREATE OR REPLACE MACRO spans_by_run(runs_) AS TABLE
SELECT run_id, started_at,
	CASE status WHEN 'lost' THEN greatest(ended_at, until_at) ELSE coalesce(ended_at, now_at()) END AS ended_at
FROM runs_named AS r LEFT JOIN (
	SELECT run_id, max(until_at) AS until_at FROM (
		SELECT run_id, until_at FROM sample_parts() JOIN (
			SELECT execution_key, run_id FROM executions SEMI JOIN (
				SELECT run_id FROM runs WHERE status = 'lost' UNION ALL SELECT run_id FROM merged_run_status WHERE status = 'lost'
			) USING (run_id) WHERE is_one_of(runs_, run_id)
		) USING (execution_key)
		UNION ALL SELECT run_id, ended_at FROM executions WHERE is_one_of(runs_, run_id)
	) GROUP BY run_id
) AS l USING (run_id)
WHERE is_one_of(runs_, run_id);
CREATE OR REPLACE MACRO span_of(run) AS TABLE SELECT started_at, ended_at FROM spans_by_run([run]);
