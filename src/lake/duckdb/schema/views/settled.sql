-- SPDX-License-Identifier: Apache-2.0
-- The bytes of the files that runs moved; no row, or NULL: none is known.
CREATE OR REPLACE MACRO file_bytes_by_run(runs_) AS TABLE
SELECT run_id, cut(sum(moved_bytes)) AS file_bytes
FROM files WHERE is_one_of(runs_, run_id) AND kind IN ('file', 'system', 'more') GROUP BY run_id;
CREATE OR REPLACE MACRO file_bytes_of(run) AS TABLE SELECT max(file_bytes) AS file_bytes FROM file_bytes_by_run([run]);

-- What each tool did in each task of runs on each host; task_id '': in no task.
CREATE OR REPLACE MACRO work_by_run(runs_) AS TABLE
SELECT run_id, host_id, task_id, tool_name(tool, exe) AS tool, count(*) AS executions, sum(cpu_ns) AS cpu_ns,
	min(started_at) AS since_at, max(coalesce(ended_at, now_at())) AS until_at
FROM work_of(runs_) GROUP BY ALL;

-- A run over time, of its samples by task: what its tasks used, and what its engine did.
CREATE OR REPLACE MACRO share_samples_of(run, interval_) AS TABLE
SELECT "at", CASE WHEN key = '' THEN 'engine' ELSE 'tasks' END AS key, sum(COLUMNS(lambda f: is_sum(f))),
	sum(COLUMNS(lambda f: f = 'rss_bytes' OR is_kind(f)))
FROM series_by_run([run], [interval_], 'task') WHERE keyed_by = 'task' GROUP BY ALL ORDER BY ALL;

-- The runs that are being settled (variables of duckdb_settle.c), and their numbers: new ones, or those that they have.
CREATE OR REPLACE MACRO settling_runs() AS TABLE
SELECT unnest(getvariable('settling')) AS run_id, unnest(getvariable('numbers')) AS number;
CREATE OR REPLACE MACRO settled_of_settling() AS TABLE
SELECT number, run_id FROM settled WHERE is_one_of(getvariable('settling'), run_id);
CREATE OR REPLACE MACRO new_numbers() AS TABLE
SELECT range(last + 1, last + 1 + len(getvariable('settling'))) FROM (SELECT coalesce(max(number), 0) AS last FROM settled);
CREATE OR REPLACE MACRO settled_numbers() AS TABLE SELECT list(number ORDER BY number) FROM settled_of_settling();
CREATE OR REPLACE MACRO settled_ids() AS TABLE SELECT list(run_id ORDER BY number) FROM settled_of_settling();
CREATE OR REPLACE MACRO open_of_settling() AS TABLE
SELECT 1::BIGINT AS open FROM executions
WHERE is_one_of(getvariable('settling'), run_id) AND (status IN ('running', 'lost') OR found) LIMIT 1;

-- The answers that are stored of a settled run: the columns are those of the macros that pages of other runs are made of. number: of the
-- run; place: of the row in the answer.
CREATE TABLE IF NOT EXISTS settled_runs AS
SELECT 0::BIGINT AS number, r.*, f.file_bytes FROM runs_of(['']) AS r, file_bytes_of('') AS f LIMIT 0;
CREATE TABLE IF NOT EXISTS settled_shares AS SELECT 0::BIGINT AS number, 0::BIGINT AS place, * FROM shares_of('') LIMIT 0;
CREATE TABLE IF NOT EXISTS settled_steps AS SELECT 0::BIGINT AS number, 0::BIGINT AS place, * FROM steps_of('') LIMIT 0;
CREATE TABLE IF NOT EXISTS settled_tasks AS SELECT 0::BIGINT AS number, * FROM tasks_of('') LIMIT 0;
CREATE TABLE IF NOT EXISTS settled_task_facts AS SELECT 0::BIGINT AS number, * FROM task_facts_of('') LIMIT 0;
CREATE TABLE IF NOT EXISTS settled_holds AS SELECT 0::BIGINT AS number, * EXCLUDE (run_id) FROM holds_by_run(['']) LIMIT 0;
CREATE TABLE IF NOT EXISTS settled_tools AS
SELECT 0::BIGINT AS number, 'true' AS all_tools, 0::BIGINT AS place, * FROM tools_of('', 'true') LIMIT 0;
CREATE TABLE IF NOT EXISTS settled_work AS SELECT 0::BIGINT AS number, * EXCLUDE (run_id) FROM work_by_run(['']) LIMIT 0;
CREATE TABLE IF NOT EXISTS settled_series AS SELECT 0::BIGINT AS number, 'run' AS keyed_by, * FROM samples_of('', 'run', 1) LIMIT 0;
CREATE TABLE IF NOT EXISTS settled_edges AS SELECT 0::BIGINT AS number, 0::BIGINT AS place, * FROM dataflow_of('', 1) LIMIT 0;
CREATE TABLE IF NOT EXISTS settled_flow_tasks AS
SELECT 0::BIGINT AS number, 0::BIGINT AS place, * FROM dataflow_tasks_of('', 1) LIMIT 0;

-- The page of the list of runs (the variable `page`), and the runs as it lists them. Those that are not settled are in the variable `unsettled`
-- (duckdb_settled.c): DuckDB plans with its value, and reads only rows of these runs. Where there are none, the list finds the macros of the
-- schema `settled`, which are planned in a tenth of the time.
CREATE OR REPLACE VIEW listed_runs AS
SELECT id AS run_id, "user", s.uid, labels, status, pipeline, r.started_at, r.ended_at FROM settled_runs AS r JOIN settled AS s USING (number)
UNION ALL
SELECT run_id, "user", uid, labels, status, pipeline, started_at, ended_at FROM whole_runs WHERE run_id NOT IN (SELECT run_id FROM settled);
CREATE OR REPLACE MACRO page_of_runs(reader_, sort_, status_, pipeline_, cursor_, limit_) AS TABLE
WITH ranked AS (
	SELECT run_id, started_at, ended_at, coalesce(CASE WHEN sort_ = 'wall' THEN epoch_us(coalesce(ended_at, now_at())) - epoch_us(started_at)
			ELSE epoch_us(started_at) END, 0) AS rank
	FROM listed_runs
	WHERE may_read(reader_, "user", uid, labels) AND (status_ IS NULL OR status = status_) AND (pipeline_ IS NULL OR pipeline = pipeline_)
)
SELECT run_id, rank, started_at, ended_at FROM ranked WHERE follows_down(cursor_, rank, run_id) ORDER BY rank DESC, run_id DESC LIMIT limit_;
CREATE OR REPLACE MACRO runs_listed(runs_) AS TABLE
SELECT * EXCLUDE (number, file_bytes) FROM settled_runs
WHERE number IN (SELECT number FROM settled WHERE run_id IN (SELECT unnest(runs_)))
UNION ALL BY NAME FROM runs_of(getvariable('unsettled'));

-- What a bill says of runs.
CREATE OR REPLACE VIEW billed_runs AS
SELECT run_id, host_id, name, pipeline, engine, "user", status, started_at, ended_at FROM runs_named;

-- Queries about a settled run find these macros first (duckdb_settled.c); the variable `settled` is its number.
CREATE SCHEMA IF NOT EXISTS settled;
CREATE OR REPLACE VIEW settled.listed_runs AS
SELECT id AS run_id, "user", s.uid, labels, status, pipeline, r.started_at, r.ended_at
FROM main.settled_runs AS r JOIN main.settled AS s USING (number);
CREATE OR REPLACE MACRO settled.runs_listed(runs_) AS TABLE
SELECT * EXCLUDE (number, file_bytes) FROM settled_runs
WHERE number IN (SELECT number FROM settled WHERE run_id IN (SELECT unnest(runs_)));
CREATE OR REPLACE VIEW settled.billed_runs AS
SELECT r.id AS run_id, m.host_id, r.name, r.pipeline, r.engine, r."user", r.status, r.started_at, r.ended_at
FROM main.settled_runs AS r JOIN main.runs AS m ON m.run_id = r.id;
CREATE OR REPLACE MACRO settled.runs_of(runs_) AS TABLE
SELECT * EXCLUDE (number, file_bytes) FROM settled_runs WHERE number = getvariable('settled');
CREATE OR REPLACE MACRO settled.file_bytes_of(run) AS TABLE
SELECT file_bytes FROM settled_runs WHERE number = getvariable('settled');
CREATE OR REPLACE MACRO settled.shares_of(run) AS TABLE
SELECT * EXCLUDE (number, place) FROM settled_shares WHERE number = getvariable('settled') ORDER BY place;
CREATE OR REPLACE MACRO settled.steps_of(run) AS TABLE
SELECT * EXCLUDE (number, place) FROM settled_steps WHERE number = getvariable('settled') ORDER BY place;
CREATE OR REPLACE MACRO settled.tasks_of(run) AS TABLE
SELECT * EXCLUDE (number) FROM settled_tasks WHERE number = getvariable('settled');
CREATE OR REPLACE MACRO settled.task_facts_of(run) AS TABLE
SELECT * EXCLUDE (number) FROM settled_task_facts WHERE number = getvariable('settled');
CREATE OR REPLACE MACRO settled.open_holds() AS TABLE SELECT '' AS run_id, * EXCLUDE (number) FROM settled_holds LIMIT 0;
CREATE OR REPLACE MACRO settled.tools_of(run, all_) AS TABLE
SELECT * EXCLUDE (number, all_tools, place) FROM settled_tools
WHERE number = getvariable('settled') AND all_tools = coalesce(nullif(all_, ''), 'false') ORDER BY place;
CREATE OR REPLACE MACRO settled.samples_of(run, by_, interval_) AS TABLE
SELECT * EXCLUDE (number, keyed_by) FROM settled_series WHERE number = getvariable('settled') AND keyed_by = by_ ORDER BY "at", key;
CREATE OR REPLACE MACRO settled.share_samples_of(run, interval_) AS TABLE
SELECT "at", CASE WHEN key = '' THEN 'engine' ELSE 'tasks' END AS key, sum(COLUMNS(lambda f: is_sum(f))),
	sum(COLUMNS(lambda f: f = 'rss_bytes' OR is_kind(f)))
FROM settled_series WHERE number = getvariable('settled') AND keyed_by = 'task' GROUP BY ALL ORDER BY ALL;
CREATE OR REPLACE MACRO settled.gpus_of_run(run, interval_s) AS TABLE
FROM gpus_over((SELECT list(host_id) FROM (
		SELECT host_id FROM settled_work WHERE number = getvariable('settled') UNION SELECT host_id FROM runs WHERE run_id = run)),
	(SELECT began_at FROM settled WHERE number = getvariable('settled')),
	(SELECT ended_at FROM settled WHERE number = getvariable('settled')), interval_s);
CREATE OR REPLACE MACRO settled.dataflow_of(run, limit_) AS TABLE
SELECT * EXCLUDE (number, place) FROM settled_edges WHERE number = getvariable('settled') ORDER BY place LIMIT limit_;
CREATE OR REPLACE MACRO settled.dataflow_tasks_of(run, limit_) AS TABLE
SELECT * EXCLUDE (number, place) FROM settled_flow_tasks WHERE number = getvariable('settled') ORDER BY place;
CREATE OR REPLACE MACRO settled.spans_by_run(runs_) AS TABLE
SELECT run_id, began_at AS started_at, ended_at FROM settled WHERE number = getvariable('settled');
CREATE OR REPLACE MACRO settled.run_stamps_of(run, limit_) AS TABLE
SELECT run_id AS id, false AS open, findings_stamp AS stamp FROM settled WHERE number = getvariable('settled');
CREATE OR REPLACE MACRO settled.wall_stamp_of(run) AS TABLE
SELECT false AS open, wall_stamp AS stamp FROM settled WHERE number = getvariable('settled');
CREATE OR REPLACE MACRO settled.work_besides() AS TABLE -- where all runs are settled: of none
SELECT '' AS host_id, '' AS run_id, '' AS task_id, now_at() AS started_at, now_at() AS ended_at
WHERE false;
CREATE OR REPLACE MACRO settled.losses_of(run) AS TABLE
SELECT l.* FROM losses AS l, (
	SELECT status, started_at, ended_at FROM settled_runs WHERE number = getvariable('settled')) AS r
WHERE l.host_id IN (
		SELECT host_id FROM settled_work WHERE number = getvariable('settled')
		UNION SELECT host_id FROM runs WHERE run_id = run)
	AND l.until_at >= r.started_at AND l.since_at <= CASE WHEN r.status = 'lost' THEN now_at() ELSE r.ended_at END;
