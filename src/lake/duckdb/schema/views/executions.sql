-- SPDX-License-Identifier: Apache-2.0
-- Whether samples may know more of an execution than its record.
CREATE OR REPLACE MACRO is_open(status, found) AS status IN ('running', 'lost') OR found;

-- Executions of some runs, with what their samples sum up to; execution_now_of and figures_by (executions_now.sql) make their figures as
-- of now of it. The record of one that runs (or was lost) is as old as its batch; its samples are newer. Where an agent
-- found an execution running, the figures that the agent counts itself (sockets, waits) start with the agent; the samples of the
-- agent before it have the rest. Of record and samples the larger figure counts, so that nothing is counted twice and no figure
-- shrinks from one query to the next. A lost execution was last alive at its last sample.
CREATE OR REPLACE MACRO executions_sampled(runs) AS TABLE
SELECT e.* REPLACE (CASE e.status WHEN 'lost' THEN greatest(e.ended_at, s.until_at) WHEN 'running' THEN NULL ELSE e.ended_at END
		AS ended_at),
	is_open(e.status, e.found) AS is_open, s.figures AS sampled, s.until_at AS sampled_until
FROM (FROM executions WHERE is_one_of(runs, run_id)) AS e LEFT JOIN (
	SELECT execution_key, max(p.until_at) AS until_at, sum_figures(p.figures, p.until_at) AS figures
	FROM sample_parts() AS p SEMI JOIN (
		SELECT execution_key FROM executions WHERE is_one_of(runs, run_id) AND is_open(status, found)
	) USING (execution_key)
	GROUP BY execution_key
) AS s USING (execution_key);

-- The same for runs without an open execution, where samples know nothing more than records. Queries about one run find these macros
-- first if open_of() has no row (duckdb_closed.c): they are planned in a fraction of the time.
CREATE OR REPLACE MACRO open_of(run) AS TABLE
SELECT 1::BIGINT AS open FROM executions WHERE run_id = run AND is_open(status, found) LIMIT 1;
CREATE SCHEMA IF NOT EXISTS closed;
CREATE OR REPLACE MACRO closed.execution_now_of(runs) AS TABLE SELECT * FROM main.executions WHERE is_one_of(runs, run_id);

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

-- The figures of runs without an open execution, summed by any column.
CREATE OR REPLACE MACRO closed.figures_by(runs, column_) AS TABLE
SELECT column_ AS key, count(*) AS executions, count(*) FILTER (is_failed(status)) AS executions_failed,
	count(*) FILTER (status = 'lost') AS executions_lost,
	coalesce(sum(execution_wall_s(status, wall_ns, started_at, ended_at)), 0) AS executions_wall_s,
	max(ended_at) AS executions_ended_at,
	sum(COLUMNS(lambda f: is_sum(f))),
	sum(COLUMNS(lambda f: is_level(f))),
	max(COLUMNS(lambda f: is_peak(f)))
FROM main.executions WHERE is_one_of(runs, run_id)
GROUP BY ALL;
