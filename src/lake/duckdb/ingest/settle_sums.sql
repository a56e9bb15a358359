-- SPDX-License-Identifier: Apache-2.0
-- Stores what pages show of the runs that the variable `settling` lists, under the numbers in the variable `numbers` (settling_runs): the
-- answers of the macros that pages of other runs are made of. (Variables, as DuckDB plans with their values; it does not with
-- parameters. Several runs at once, as most of the time is that of planning.)
-- Columns of sums, which are HUGEINT: the tables have them as BIGINT (repack_settled.sql).
CREATE OR REPLACE TEMP MACRO is_added(name) AS is_sum(name) OR is_level(name) OR name = 'executions';
INSERT INTO settled
SELECT n.number, r.run_id, r.parent_run_id, r.uid, now_at(), coalesce((SELECT any_value(hash) FROM layout), ''), s.started_at, s.ended_at,
	f.stamp, w.stamp, false
FROM settling_runs() AS n JOIN runs AS r USING (run_id) JOIN spans_by_run(getvariable('settling')) AS s USING (run_id)
JOIN stamps_by_run(getvariable('settling')) AS f ON f.id = r.run_id JOIN wall_stamps_by_run(getvariable('settling')) AS w USING (run_id);
INSERT INTO settled_runs BY NAME
SELECT COLUMNS(lambda f: NOT is_added(f)), cut(COLUMNS(lambda f: is_added(f))) FROM (
	SELECT n.number, r.*, f.file_bytes
	FROM settling_runs() AS n JOIN runs_of(getvariable('settling')) AS r ON r.id = n.run_id
	LEFT JOIN file_bytes_by_run(getvariable('settling')) AS f ON f.run_id = n.run_id
);
INSERT INTO settled_shares BY NAME
SELECT COLUMNS(lambda f: NOT is_added(f)), cut(COLUMNS(lambda f: is_added(f))) FROM (
	SELECT n.number, row_number() OVER (PARTITION BY n.number ORDER BY of_tasks DESC) AS place, s.* EXCLUDE (run_id)
	FROM settling_runs() AS n JOIN shares_by_run(getvariable('settling')) AS s USING (run_id)
);
INSERT INTO settled_steps BY NAME
SELECT COLUMNS(lambda f: NOT is_added(f)), cut(COLUMNS(lambda f: is_added(f))) FROM (
	SELECT n.number, s.* EXCLUDE (run_id) FROM settling_runs() AS n JOIN steps_by_run(getvariable('settling')) AS s USING (run_id)
);
INSERT INTO settled_tasks BY NAME
SELECT COLUMNS(lambda f: NOT is_added(f)), cut(COLUMNS(lambda f: is_added(f))) FROM (
	SELECT n.number, t.* EXCLUDE (run_id) FROM settling_runs() AS n JOIN tasks_by_run(getvariable('settling')) AS t USING (run_id)
);
INSERT INTO settled_task_facts BY NAME
SELECT n.number, f.* EXCLUDE (run_id)
FROM settling_runs() AS n JOIN task_facts_by_run(getvariable('settling')) AS f USING (run_id);
INSERT INTO settled_signatures BY NAME
SELECT n.number, s.* EXCLUDE (run_id)
FROM settling_runs() AS n JOIN task_signatures_by_run(getvariable('settling')) AS s USING (run_id);
INSERT INTO settled_folders BY NAME
SELECT n.number, f.* EXCLUDE (run_id)
FROM settling_runs() AS n JOIN run_folders_by_run(getvariable('settling')) AS f USING (run_id);
INSERT INTO settled_holds BY NAME
SELECT n.number, h.* EXCLUDE (run_id) FROM settling_runs() AS n JOIN holds_by_run(getvariable('settling')) AS h USING (run_id);
INSERT INTO settled_tools BY NAME
SELECT COLUMNS(lambda f: NOT is_added(f)), cut(COLUMNS(lambda f: is_added(f))) FROM (
	SELECT n.number, 'true' AS all_tools, t.* EXCLUDE (run_id)
	FROM settling_runs() AS n JOIN tools_by_run(getvariable('settling'), 'true') AS t USING (run_id)
);
INSERT INTO settled_tools BY NAME
SELECT COLUMNS(lambda f: NOT is_added(f)), cut(COLUMNS(lambda f: is_added(f))) FROM (
	SELECT n.number, 'false' AS all_tools, t.* EXCLUDE (run_id)
	FROM settling_runs() AS n JOIN tools_by_run(getvariable('settling'), 'false') AS t USING (run_id)
);
INSERT INTO settled_work BY NAME
SELECT n.number, w.* EXCLUDE (run_id) REPLACE (cut(w.cpu_ns) AS cpu_ns)
FROM settling_runs() AS n JOIN work_by_run(getvariable('settling')) AS w USING (run_id) ORDER BY ALL;
-- As many as server/query/dataflow.h asks for, and the one more that says that there are more.
INSERT INTO settled_edges BY NAME
SELECT n.number, e.* EXCLUDE (run_id)
FROM settling_runs() AS n JOIN dataflow_by_run(getvariable('settling'), 100001) AS e USING (run_id) ORDER BY number, place;
INSERT INTO settled_flow_tasks BY NAME
SELECT n.number, t.* EXCLUDE (run_id)
FROM settling_runs() AS n JOIN dataflow_tasks_by_run(getvariable('settling'), 100001) AS t USING (run_id) ORDER BY number, place;
INSERT INTO settled_cgroups
SELECT DISTINCT n.number, host_id, boot_id, cgroup_id FROM settling_runs() AS n JOIN (
	SELECT run_id, host_id, boot_id, cgroup_id FROM executions WHERE is_one_of(getvariable('settling'), run_id) AND cgroup_id <> 0
	UNION ALL SELECT run_id, host_id, boot_id, cgroup_id FROM tasks WHERE is_one_of(getvariable('settling'), run_id) AND cgroup_id <> 0
) USING (run_id);
-- Which runs were on which hosts when, and when they used them.
INSERT INTO settled_activity_runs BY NAME
SELECT n.number, w.* FROM settling_runs() AS n JOIN (
	SELECT run_id, host_id, min(started_at) AS since_at, max(ended_at) AS until_at FROM work_of(getvariable('settling')) GROUP BY run_id, host_id
) AS w USING (run_id);
INSERT INTO settled_activity_used BY NAME
SELECT n.number, u.* FROM settling_runs() AS n JOIN used_of(getvariable('settling')) AS u USING (run_id);
INSERT INTO settled_activity SELECT number, run_id FROM settling_runs();
