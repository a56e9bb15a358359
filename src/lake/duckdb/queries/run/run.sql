-- SPDX-License-Identifier: Apache-2.0
-- One run, by its id: who, when, where; after cwd the sums over all its processes.
SELECT id, name, pipeline, engine, status, "user", started_at, ended_at, wall_s, hosts, labels, told_by, engine_run_id,
	engine_run_name, parent_run, command, cwd,
	* EXCLUDE (id, name, pipeline, engine, status, "user", started_at, ended_at, wall_s, hosts, labels, told_by,
		engine_run_id, engine_run_name, parent_run, command, cwd, explained_ns),
	coverage_of(explained_ns, r.threads_ns) AS coverage,
	work_of(explained_ns, r.child_ns, r.sleep_ns, r.threads_ns) AS work_ns,
	(SELECT file_bytes FROM file_bytes_of($run)) AS file_bytes,
	(SELECT coalesce(sum(count), 0) FROM losses_of($run)) AS lost_records
FROM (SELECT *, list_sum([*COLUMNS(lambda f: is_state(f))]) AS explained_ns FROM runs_of([$run])) AS r;
