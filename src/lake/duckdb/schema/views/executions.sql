-- SPDX-License-Identifier: Apache-2.0
-- (The bounds spare DuckDB most of a table.)
CREATE OR REPLACE MACRO is_one_of(runs, run_id) AS
	run_id >= list_min(runs) AND run_id <= list_max(runs) AND list_contains(runs, run_id);

-- Executions of some runs as of now. The record of one that runs (or was lost) is as old as its batch; its samples are newer. Where an agent
-- found an execution running, the figures that the agent counts itself (sockets, waits) start with the agent; the samples of the
-- agent before it have the rest. Of record and samples the larger figure counts, so that nothing is counted twice and no figure
-- shrinks from one query to the next. A lost execution was last alive at its last sample.
CREATE OR REPLACE MACRO execution_now_of(runs) AS TABLE
WITH open AS (
	SELECT * FROM executions WHERE (status IN ('running', 'lost') OR found) AND is_one_of(runs, run_id)
), sampled AS (
	SELECT execution_key, run_id, until_at, unnest(unpack_figures(figures))
	FROM samples_packed JOIN (SELECT execution_key, run_id FROM open) USING (execution_key)
), said AS (
	SELECT execution_key, run_id, NULL::TIMESTAMP AS until_at, COLUMNS(lambda f: is_figure(f)) FROM open
	UNION ALL BY NAME
	SELECT execution_key, run_id, max(s.until_at) AS until_at,
		cut(sum(COLUMNS(lambda f: is_sum(f)))),
		arg_max(COLUMNS(lambda f: is_level(f)), s.until_at),
		max(COLUMNS(lambda f: is_peak(f)))
	FROM sampled AS s GROUP BY execution_key, run_id
), now AS (
	SELECT execution_key, run_id, max(until_at) AS until_at,
		max(COLUMNS(lambda f: is_sum(f))),
		arg_max(COLUMNS(lambda f: is_level(f)), coalesce(until_at, make_timestamp(0))),
		max(COLUMNS(lambda f: is_peak(f)))
	FROM said GROUP BY execution_key, run_id
)
SELECT * FROM executions WHERE status NOT IN ('running', 'lost') AND NOT found AND is_one_of(runs, run_id)
UNION ALL BY NAME
SELECT o.* REPLACE (CASE o.status WHEN 'lost' THEN greatest(o.ended_at, n.until_at) WHEN 'running' THEN NULL ELSE o.ended_at END
		AS ended_at),
	COLUMNS(lambda f: is_figure(f) AND NOT is_level(f)),
	CASE WHEN o.status <> 'running' THEN 0 ELSE COLUMNS(lambda f: is_level(f)) END
FROM (SELECT COLUMNS(lambda f: NOT is_figure(f)) FROM open) AS o
JOIN now AS n USING (execution_key, run_id);

-- The same for a run without an open execution, where samples know nothing more than records. Queries about one run find this macro
-- first if open_of() has no row (duckdb_closed.c): DuckDB plans the macro above for a quarter to a half of the time of a query.
CREATE OR REPLACE MACRO open_of(run) AS TABLE
SELECT 1::BIGINT AS open FROM executions WHERE run_id = run AND (status IN ('running', 'lost') OR found) LIMIT 1;
CREATE SCHEMA IF NOT EXISTS closed;
CREATE OR REPLACE MACRO closed.execution_now_of(runs) AS TABLE SELECT * FROM main.executions WHERE is_one_of(runs, run_id);

-- CPU time and lifetime of executions as of now, by the same rules, in a fraction of the time.
CREATE OR REPLACE VIEW execution_work AS
SELECT execution_key, host_id, pid, start_ns, image_seq, run_id, task_id, tool, exe, started_at, ended_at, user_ns + kernel_ns AS cpu_ns
FROM executions WHERE status NOT IN ('running', 'lost') AND NOT found
UNION ALL
SELECT execution_key, host_id, pid, start_ns, image_seq, run_id, task_id, tool, exe, started_at,
	CASE status WHEN 'lost' THEN greatest(ended_at, max(s.until_at)) WHEN 'running' THEN NULL ELSE ended_at END,
	greatest(any_value(e.user_ns), cut(sum(s.f.user_ns))) + greatest(any_value(e.kernel_ns), cut(sum(s.f.kernel_ns)))
FROM (SELECT * FROM executions WHERE status IN ('running', 'lost') OR found) AS e
LEFT JOIN (
	SELECT execution_key, until_at, unpack_figures(figures) AS f
	FROM samples_packed SEMI JOIN (FROM executions WHERE status IN ('running', 'lost') OR found) USING (execution_key)
) AS s USING (execution_key)
GROUP BY execution_key, host_id, pid, start_ns, image_seq, run_id, task_id, tool, exe, started_at, ended_at, status;

-- Seconds from start to end of an execution, by the boot-time clock once it ended; until now, while it runs.
CREATE OR REPLACE MACRO execution_wall_s(status, wall_ns, started_at, ended_at) AS
	CASE WHEN status NOT IN ('running', 'lost') AND wall_ns > 0 THEN wall_ns / 1e9
	ELSE seconds(started_at, coalesce(ended_at, now_at())) END;

-- When a run or a task ended (NULL: it runs); where it was lost, when its last execution was last alive.
CREATE OR REPLACE MACRO last_alive_at(status, ended_at, executions_ended_at) AS
	CASE WHEN status = 'lost' THEN greatest(ended_at, executions_ended_at) ELSE ended_at END;

-- Seconds that a run or a task took; until now, while it runs.
CREATE OR REPLACE MACRO whole_wall_s(status, started_at, ended_at, executions_ended_at) AS
	seconds(started_at, CASE WHEN status = 'running' THEN now_at()
		ELSE last_alive_at(status, ended_at, executions_ended_at) END);

-- The figures of runs, summed by any column of their executions: sums over processes are totals by construction.
CREATE OR REPLACE MACRO figures_by(runs, column_) AS TABLE
SELECT column_ AS key,
	count(*) AS executions,
	count(*) FILTER (is_failed(status)) AS executions_failed,
	count(*) FILTER (status = 'lost') AS executions_lost,
	coalesce(sum(execution_wall_s(status, wall_ns, started_at, ended_at)), 0) AS executions_wall_s,
	max(ended_at) AS executions_ended_at,
	sum(COLUMNS(lambda f: is_sum(f))),
	sum(COLUMNS(lambda f: is_level(f))),
	max(COLUMNS(lambda f: is_peak(f)))
FROM execution_now_of(runs)
GROUP BY ALL;
