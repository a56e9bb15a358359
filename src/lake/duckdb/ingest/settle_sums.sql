-- SPDX-License-Identifier: Apache-2.0
-- Stores what pages show of the run that the variable `settling` names, under the number of the variable `settled`: the answers of the
-- macros that pages of other runs are made of. (Variables, as DuckDB plans with their values; it does not with parameters.)
INSERT INTO settled
SELECT getvariable('settled'), r.run_id, r.parent_run_id, r.uid, now_at(), coalesce((SELECT any_value(hash) FROM layout), ''), s.started_at, s.ended_at,
	f.stamp, w.stamp, false
FROM runs AS r, span_of(getvariable('settling')) AS s, run_stamps_of(getvariable('settling'), 1) AS f,
	wall_stamp_of(getvariable('settling')) AS w
WHERE r.run_id = getvariable('settling');
INSERT INTO settled_runs BY NAME
SELECT getvariable('settled') AS number, r.*, f.file_bytes
FROM runs_of([getvariable('settling')]) AS r, file_bytes_of(getvariable('settling')) AS f;
INSERT INTO settled_shares BY NAME
SELECT getvariable('settled') AS number, row_number() OVER () AS place, * FROM (FROM shares_of(getvariable('settling')));
INSERT INTO settled_steps BY NAME
SELECT getvariable('settled') AS number, row_number() OVER () AS place, * FROM (FROM steps_of(getvariable('settling')));
INSERT INTO settled_tasks BY NAME
SELECT getvariable('settled') AS number, * FROM tasks_of(getvariable('settling'));
INSERT INTO settled_tools BY NAME
SELECT getvariable('settled') AS number, 'true' AS all_tools, row_number() OVER () AS place, *
FROM (FROM tools_of(getvariable('settling'), 'true'));
INSERT INTO settled_tools BY NAME
SELECT getvariable('settled') AS number, 'false' AS all_tools, row_number() OVER () AS place, *
FROM (FROM tools_of(getvariable('settling'), 'false'));
INSERT INTO settled_work BY NAME SELECT getvariable('settled') AS number, * FROM work_of_run(getvariable('settling'));
-- As many as server/query/dataflow.h asks for, and the one more that says that there are more.
INSERT INTO settled_edges BY NAME
SELECT getvariable('settled') AS number, row_number() OVER () AS place, * FROM (FROM dataflow_of(getvariable('settling'), 100001));
INSERT INTO settled_flow_tasks BY NAME
SELECT getvariable('settled') AS number, row_number() OVER () AS place, *
FROM (FROM dataflow_tasks_of(getvariable('settling'), 100001));
INSERT INTO settled_cgroups
SELECT DISTINCT getvariable('settled'), host_id, boot_id, cgroup_id FROM (
	SELECT host_id, boot_id, cgroup_id FROM executions WHERE run_id = getvariable('settling')
	UNION ALL SELECT host_id, boot_id, cgroup_id FROM tasks WHERE run_id = getvariable('settling')
) WHERE cgroup_id <> 0;
-- Who worked where, for the queries activity_*.
INSERT INTO settled_activity_runs BY NAME
SELECT getvariable('settled') AS number, getvariable('settling') AS run_id, w.*, coalesce(s.steps, '') AS steps, coalesce(t.tools, '') AS tools
FROM (
	SELECT host_id, min(started_at) AS since_at, max(ended_at) AS until_at, cut(sum(cpu_ns)) AS cpu_ns,
		cut(coalesce(sum(cpu_ns) FILTER (task_id = ''), 0)) AS engine_cpu_ns
	FROM work_of(getvariable('settling')) GROUP BY host_id
) AS w LEFT JOIN (
	SELECT host_id, parts_of(step, cpu_ns) AS steps FROM (
		SELECT host_id, coalesce(t.step, '') AS step, cut(sum(cpu_ns)) AS cpu_ns
		FROM work_of(getvariable('settling')) AS e LEFT JOIN task_steps AS t USING (task_id) WHERE e.task_id <> '' GROUP BY ALL
	) GROUP BY host_id
) AS s USING (host_id) LEFT JOIN (
	SELECT host_id, parts_of(tool, cpu_ns) AS tools FROM (
		SELECT host_id, tool_name(tool, exe) AS tool, cut(sum(cpu_ns)) AS cpu_ns FROM work_of(getvariable('settling')) GROUP BY ALL
	) GROUP BY host_id
) AS t USING (host_id);
INSERT INTO settled_activity_used BY NAME
SELECT getvariable('settled') AS number, host_id, getvariable('settling') AS run_id, since_at, until_at FROM used_of(getvariable('settling'));
INSERT INTO settled_activity VALUES (getvariable('settled'), getvariable('settling'));
