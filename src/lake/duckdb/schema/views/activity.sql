-- SPDX-License-Identifier: Apache-2.0
-- The steps of tasks, as their engine reported them where it did.
CREATE OR REPLACE VIEW task_steps AS
SELECT t.task_id, coalesce(nullif(w.step, ''), t.step) AS step
FROM tasks AS t LEFT JOIN (
	SELECT task_id, step FROM task_links JOIN told_tasks USING (told_id, task)
) AS w ON w.task_id = t.task_id;

-- The same of runs, with when and how their tasks ran: planned in a fraction of the time of tasks_named.
CREATE OR REPLACE MACRO task_steps_by_run(runs_) AS TABLE
SELECT t.run_id, t.task_id, coalesce(nullif(w.step, ''), t.step) AS step, t.status, t.started_at, t.ended_at
FROM tasks AS t LEFT JOIN (
	SELECT task_id, step FROM task_links JOIN told_tasks USING (told_id, task)
) AS w ON w.task_id = t.task_id
WHERE is_one_of(runs_, t.run_id);

-- The samples that are in no sum yet (schema/tables/settled_activity.sql).
CREATE OR REPLACE VIEW samples_new AS
SELECT sample_key, execution_key, since_at, until_at, f.user_ns, f.kernel_ns
FROM (
	SELECT sample_key, execution_key, since_at, until_at, unpack_figures(figures) AS f FROM samples_packed
	WHERE sample_key > coalesce((SELECT max(sample_key) FROM samples_rolled), 0)
);

-- What the samples of executions sum up to, of all that are not closed.
CREATE OR REPLACE VIEW execution_sampled AS
SELECT execution_key, max(until_at) AS until_at, cut(sum(user_ns)) AS user_ns, cut(sum(kernel_ns)) AS kernel_ns
FROM (
	SELECT execution_key, until_at, user_ns, kernel_ns FROM execution_sums
	UNION ALL SELECT execution_key, until_at, user_ns, kernel_ns FROM samples_new
)
GROUP BY execution_key;

-- CPU time and lifetime of the executions of runs as of now, by the rules of execution_now_of.
CREATE OR REPLACE MACRO work_of(runs_) AS TABLE
SELECT host_id, run_id, task_id, tool, exe, started_at, ended_at, user_ns + kernel_ns AS cpu_ns
FROM executions WHERE is_one_of(runs_, run_id) AND status NOT IN ('running', 'lost') AND NOT found
UNION ALL
SELECT host_id, run_id, task_id, tool, exe, started_at,
	CASE status WHEN 'lost' THEN greatest(ended_at, s.until_at) WHEN 'running' THEN NULL ELSE ended_at END,
	greatest(o.user_ns, s.user_ns) + greatest(o.kernel_ns, s.kernel_ns)
FROM (SELECT * FROM executions WHERE is_one_of(runs_, run_id) AND (status IN ('running', 'lost') OR found)) AS o
LEFT JOIN execution_sampled AS s USING (execution_key);

-- The same of runs without an open execution (closed.execution_now_of): no samples are read.
CREATE OR REPLACE MACRO closed.work_of(runs_) AS TABLE
SELECT host_id, run_id, task_id, tool, exe, started_at, ended_at, user_ns + kernel_ns AS cpu_ns
FROM main.executions WHERE is_one_of(runs_, run_id);

-- Names with their CPU time as lines "NANOSECONDS TAB NAME": a row a run and host instead of one for each name.
CREATE OR REPLACE MACRO parts_of(name, cpu_ns) AS
	string_agg(cpu_ns || chr(9) || replace(name, chr(10), ' '), chr(10) ORDER BY name);

-- What worked of all runs that are not settled, also of those that are not known yet. (By their ids, which are few: DuckDB skips the
-- executions of others.)
CREATE OR REPLACE MACRO work_besides() AS TABLE
SELECT host_id, run_id, task_id, started_at,
	CASE status WHEN 'lost' THEN greatest(ended_at, s.until_at) WHEN 'running' THEN NULL ELSE ended_at END AS ended_at
FROM (
	FROM executions WHERE run_id IN (
		SELECT run_id FROM (SELECT run_id FROM executions GROUP BY run_id) ANTI JOIN settled_activity USING (run_id) WHERE run_id <> '')
) AS o
LEFT JOIN execution_sampled AS s ON s.execution_key = CASE WHEN status = 'lost' THEN o.execution_key END;

-- Runs and tasks with processes that may only wait, for somebody to type or forever: of sessions, and of no run. task_id '': all of the
-- run that is in no task. What the kernel of a notebook starts are other tasks.
CREATE OR REPLACE VIEW waiting_work AS
WITH sessions AS (
	SELECT run_id, host_id, pid, start_ns FROM runs WHERE engine = 'session'
)
SELECT run_id, '' AS task_id FROM sessions
UNION ALL SELECT run_id, task_id FROM tasks JOIN sessions USING (run_id, host_id, pid, start_ns)
UNION ALL SELECT '', '';

-- The runs of such work. (A join with few values: DuckDB reads no more of other executions than their run.)
CREATE OR REPLACE VIEW waiting_runs AS
SELECT '' AS run_id UNION ALL SELECT run_id FROM runs WHERE engine = 'session';

-- When processes that may wait used 1 % of a CPU or more. Short executions have no sample.
CREATE OR REPLACE VIEW waits_now AS
SELECT w.host_id, coalesce(e.run_id, '') AS run_id, coalesce(e.task_id, '') AS task_id, w.since_at, w.until_at
FROM (
	FROM waits
	UNION ALL BY NAME
	SELECT execution_key, host_id, since_at, until_at FROM samples_new JOIN execution_keys USING (execution_key)
	WHERE since_at IS NOT NULL AND (user_ns + kernel_ns) * 100 >= epoch_ns(until_at) - epoch_ns(since_at)
) AS w
LEFT JOIN executions AS e USING (execution_key)
UNION ALL
SELECT host_id, run_id, task_id, started_at, greatest(ended_at, started_at)
FROM executions SEMI JOIN waiting_runs USING (run_id)
ANTI JOIN waits_sampled USING (execution_key) ANTI JOIN samples_new USING (execution_key)
WHERE ended_at < started_at + INTERVAL 1 MINUTE
	AND (user_ns + kernel_ns) * 100 >= epoch_ns(ended_at) - epoch_ns(started_at);

-- When runs used their hosts, without gaps of less than a second.
CREATE OR REPLACE MACRO used_of(runs_) AS TABLE
WITH intervals AS (
	SELECT run_id, host_id, started_at AS since_at, greatest(coalesce(ended_at, now_at()), started_at) AS until_at
	FROM work_of(runs_) ANTI JOIN waiting_work USING (run_id, task_id)
	WHERE started_at IS NOT NULL
	UNION ALL
	SELECT run_id, host_id, since_at, until_at FROM waits_now SEMI JOIN waiting_work USING (run_id, task_id) WHERE is_one_of(runs_, run_id)
), ran AS ( -- intervals that begin in the same second merge anyway: this leaves few rows to sort
	SELECT run_id, host_id, min(since_at) AS since_at, max(until_at) AS until_at FROM intervals
	GROUP BY run_id, host_id, epoch_us(intervals.since_at) // 1000000
), parted AS (
	SELECT *, since_at - max(until_at) OVER (PARTITION BY run_id, host_id ORDER BY since_at
			ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) > INTERVAL 1 SECOND AS is_gap
	FROM ran
), numbered AS (
	SELECT *, sum(coalesce(is_gap, false)::INTEGER) OVER (PARTITION BY run_id, host_id ORDER BY since_at
		ROWS UNBOUNDED PRECEDING) AS number
	FROM parted
)
SELECT run_id, host_id, min(since_at) AS since_at, max(until_at) AS until_at FROM numbered GROUP BY run_id, host_id, number;

-- When each host was up, by its samples: the times that overlap two instants (NULL: no bound). Gaps of at most a minute are closed: there
-- are none in host_up, so only the times of hosts with samples that are not in it are looked at.
CREATE OR REPLACE MACRO up_between(since_, until_) AS TABLE
WITH came AS ( -- intervals that begin in the same minute merge anyway: this leaves few rows to sort
	SELECT host_id, min(s.since_at) AS since_at, max(s.until_at) AS until_at FROM host_samples_new AS s
	WHERE s.since_at IS NOT NULL AND s.until_at IS NOT NULL
		AND (since_::TIMESTAMP IS NULL OR s.until_at > since_)
		AND (until_::TIMESTAMP IS NULL OR s.since_at < until_)
	GROUP BY host_id, epoch_us(s.since_at) // 60000000
), held AS (
	SELECT host_id, since_at, until_at FROM host_up
	WHERE (since_::TIMESTAMP IS NULL OR until_at > since_) AND (until_::TIMESTAMP IS NULL OR since_at < until_)
), seen AS (
	FROM came UNION ALL FROM held SEMI JOIN came USING (host_id)
), parted AS (
	SELECT *, since_at - max(until_at) OVER (PARTITION BY host_id ORDER BY since_at
			ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) > INTERVAL 1 MINUTE AS is_gap
	FROM seen
), numbered AS (
	SELECT *, sum(coalesce(is_gap, false)::INTEGER) OVER (PARTITION BY host_id ORDER BY since_at
		ROWS UNBOUNDED PRECEDING) AS number
	FROM parted
)
FROM held ANTI JOIN came USING (host_id)
UNION ALL
SELECT host_id, min(since_at) AS since_at, max(until_at) AS until_at FROM numbered GROUP BY host_id, number;

-- When tracked work used each host; times may overlap. A process of a run counts for its lifetime. Processes of no run (a Python daemon
-- sleeps for weeks) and those that wait for a person to type (the shell of a session, the kernel of a notebook) count where they used
-- 1 % of a CPU or more.
CREATE OR REPLACE MACRO used_times() AS TABLE
SELECT host_id, since_at, until_at FROM settled_activity_used
UNION ALL
SELECT host_id, started_at AS since_at, greatest(coalesce(ended_at, now_at()), started_at) AS until_at
FROM work_besides() ANTI JOIN waiting_work USING (run_id, task_id)
WHERE started_at IS NOT NULL
UNION ALL
SELECT host_id, since_at, until_at
FROM waits_now SEMI JOIN (FROM waiting_work ANTI JOIN settled_activity USING (run_id)) USING (run_id, task_id);

-- The same between two instants (NULL: no bound), cut to them. Gaps of less than a second are closed.
CREATE OR REPLACE MACRO used_between(since_, until_) AS TABLE
WITH ran AS ( -- intervals that begin in the same second merge anyway: this leaves few rows to sort
	SELECT host_id, min(u.since_at) AS since_at, max(u.until_at) AS until_at FROM used_times() AS u
	WHERE (since_::TIMESTAMP IS NULL OR u.until_at > since_) AND (until_::TIMESTAMP IS NULL OR u.since_at < until_)
	GROUP BY host_id, epoch_us(u.since_at) // 1000000
), parted AS (
	SELECT *, since_at - max(until_at) OVER (PARTITION BY host_id ORDER BY since_at
			ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) > INTERVAL 1 SECOND AS is_gap
	FROM ran
), numbered AS (
	SELECT *, sum(coalesce(is_gap, false)::INTEGER) OVER (PARTITION BY host_id ORDER BY since_at
		ROWS UNBOUNDED PRECEDING) AS number
	FROM parted
)
SELECT host_id, greatest(since_at, since_::TIMESTAMP) AS since_at, least(until_at, until_::TIMESTAMP) AS until_at
FROM (SELECT host_id, min(since_at) AS since_at, max(until_at) AS until_at FROM numbered GROUP BY host_id, number);

-- Whether an engine or scheduler can repeat a task that failed, or was interrupted, without the rest of its run.
CREATE OR REPLACE MACRO repeats_tasks(engine) AS engine IN ('airflow', 'argo', 'cromwell', 'dagster', 'luigi', 'miniwdl', 'nextflow', 'prefect',
	'slurm', 'snakemake', 'toil');
