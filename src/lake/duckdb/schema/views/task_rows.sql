-- SPDX-License-Identifier: Apache-2.0
-- The tasks of runs with all their columns.
CREATE OR REPLACE MACRO tasks_by_run(runs_) AS TABLE
SELECT t.run_id, t.task_id AS id, t.step, t.name, t.sample, t.host_id, h.hostname AS host, nullif(c.container_id, '') AS container,
	coalesce(nullif(c.name, ''), n.container_names) AS container_name,
	coalesce(nullif(c.image, ''), n.container_images) AS container_image,
	t.status,
	CASE WHEN t.status NOT IN ('running', 'lost') AND t.signal = 0 THEN t.exit_code END AS exit_code,
	nullif(t.signal, 0) AS signal,
	t.started_at,
	last_alive_at(t.status, t.ended_at, f.executions_ended_at) AS ended_at,
	t.queued_at, seconds(t.queued_at, coalesce(t.started_at, now_at())) AS queued_s, q.queued_for, t.told_by,
	whole_wall_s(t.status, t.started_at, t.ended_at, f.executions_ended_at) AS wall_s,
	nullif(t.attempt, 0) AS attempt,
	nullif(t.cpus_requested, 0) AS cpus_requested,
	nullif(t.memory_requested_bytes, 0) AS memory_requested_bytes,
	nullif(t.requested_by, '') AS requested_by, nullif(t.folder, '') AS folder,
	m.memory_peak_bytes, coverage_of(list_sum([*COLUMNS(lambda f: is_state(f))]), f.threads_ns) AS coverage,
	work_of(list_sum([*COLUMNS(lambda f: is_state(f))]), f.child_ns, f.sleep_ns, f.threads_ns) AS work_ns,
	coalesce(COLUMNS(f.* EXCLUDE (key, executions_failed, executions_lost, executions_wall_s, executions_ended_at)), 0),
	coalesce(n.tools, '[]'::JSON) AS tools
FROM tasks_named AS t
LEFT JOIN hosts AS h USING (host_id)
LEFT JOIN containers AS c ON c.host_id = t.host_id AND c.boot_id = t.boot_id AND c.cgroup_id = t.cgroup_id
LEFT JOIN figures_by(runs_, { run: run_id, task: task_id }) AS f ON f.key.run = t.run_id AND f.key.task = t.task_id
LEFT JOIN memory_peaks(runs_) AS m ON m.task_id = t.task_id
LEFT JOIN queue_waits(runs_) AS q ON q.task_id = t.task_id
LEFT JOIN (
	SELECT run_id, task_id, to_json(list_sort(list(DISTINCT tool_name(tool, exe)))) AS tools,
		string_agg(DISTINCT nullif(k.name, ''), ', ') AS container_names,
		string_agg(DISTINCT nullif(k.image, ''), ', ') AS container_images
	FROM executions AS e
	LEFT JOIN (SELECT host_id, boot_id, cgroup_id, name, image FROM containers) AS k USING (host_id, boot_id, cgroup_id)
	WHERE is_one_of(runs_, run_id) GROUP BY run_id, task_id
) AS n ON n.run_id = t.run_id AND n.task_id = t.task_id
WHERE is_one_of(runs_, t.run_id);
CREATE OR REPLACE MACRO tasks_of(run) AS TABLE SELECT * EXCLUDE (run_id) FROM tasks_by_run([run]);
