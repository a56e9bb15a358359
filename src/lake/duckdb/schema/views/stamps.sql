-- SPDX-License-Identifier: Apache-2.0
-- For each of these runs a number that changes when anything changes that its findings are made of: the run, its tasks, executions and
-- events, the names that its engine reported, and whether its host was seen 10 s after its end, when all samples of it have arrived
-- (they say nothing of a run that was shorter than their interval). open: it runs.
CREATE OR REPLACE MACRO stamps_by_run(runs_) AS TABLE
WITH chosen AS (
	SELECT run_id, host_id, status, exit_code, started_at, ended_at FROM whole_runs WHERE run_id IN (SELECT unnest(runs_))
), ids AS (SELECT run_id FROM chosen)
SELECT c.run_id AS id, c.started_at, c.status IN ('running', 'queued') OR coalesce(e.open, false) AS open,
	(hash(c.status, c.exit_code, c.ended_at, e.count, e.sequence, e.created_at, t.count, t.sequence, t.created_at, v.count, w.count,
		c.ended_at - c.started_at >= INTERVAL 5 SECOND AND h.seen_at >= c.ended_at + INTERVAL 10 SECOND) >> 1)::BIGINT AS stamp
FROM chosen AS c
LEFT JOIN (
	SELECT run_id, bool_or(status = 'running') AS open, count(*) AS count, sum(sequence) AS sequence, max(created_at) AS created_at
	FROM executions WHERE run_id IN (FROM ids) GROUP BY run_id
) AS e USING (run_id)
LEFT JOIN (
	SELECT run_id, count(*) AS count, sum(sequence) AS sequence, max(created_at) AS created_at
	FROM tasks WHERE run_id IN (FROM ids) GROUP BY run_id
) AS t USING (run_id)
LEFT JOIN (SELECT run_id, count(*) AS count FROM events WHERE run_id IN (FROM ids) GROUP BY run_id) AS v USING (run_id)
LEFT JOIN (
	SELECT run_id, hash(count(*), sum(sequence), max(created_at)) AS count
	FROM run_links JOIN told_tasks USING (told_id) WHERE run_id IN (FROM ids) GROUP BY run_id
) AS w USING (run_id)
LEFT JOIN hosts AS h USING (host_id);

-- The same for one run, or (run NULL) for the limit_ newest ones that ended. Of settled runs the number is stored.
CREATE OR REPLACE MACRO run_stamps_of(run, limit_) AS TABLE
WITH newest AS MATERIALIZED (
	SELECT run_id, started_at FROM listed_runs
	WHERE CASE WHEN run IS NULL THEN status NOT IN ('running', 'queued') ELSE run_id = run END
	ORDER BY started_at DESC, run_id LIMIT limit_
)
SELECT id, open, stamp FROM (
FROM stamps_by_run((SELECT list(run_id) FROM newest WHERE run_id NOT IN (SELECT run_id FROM settled)))
UNION ALL
SELECT run_id, n.started_at, false, findings_stamp FROM settled JOIN newest AS n USING (run_id)
) ORDER BY started_at DESC, id;

-- For each of these runs a number that changes when anything changes that wall_images reads of it: executions, tasks, the names that
-- its engine reported. open: a task or an execution of it runs, or an execution was lost or found, and samples may know more of it than its record.
CREATE OR REPLACE MACRO wall_stamps_by_run(runs_) AS TABLE
SELECT r.run_id, coalesce(e.open, false) OR coalesce(t.open, false) AS open,
	(hash(coalesce(e.count, 0), e.sequence, e.created_at, coalesce(t.count, 0), t.sequence, t.created_at, coalesce(w.count, 0), w.sequence,
		w.created_at, coalesce(l.count, 0)) >> 1)::BIGINT AS stamp
FROM (SELECT unnest(runs_) AS run_id) AS r
LEFT JOIN (
	SELECT run_id, coalesce(bool_or(status IN ('running', 'lost') OR found), false) AS open, count(*) AS count, sum(sequence) AS sequence,
		max(created_at) AS created_at
	FROM executions WHERE is_one_of(runs_, run_id) GROUP BY run_id
) AS e USING (run_id)
LEFT JOIN (
	SELECT run_id, coalesce(bool_or(status = 'running'), false) AS open, count(*) AS count, sum(sequence) AS sequence,
		max(created_at) AS created_at
	FROM tasks WHERE is_one_of(runs_, run_id) GROUP BY run_id
) AS t USING (run_id)
LEFT JOIN (
	SELECT run_id, count(*) AS count, sum(sequence) AS sequence, max(created_at) AS created_at
	FROM told_tasks JOIN (SELECT DISTINCT run_id, told_id FROM run_links WHERE is_one_of(runs_, run_id)) USING (told_id) GROUP BY run_id
) AS w USING (run_id)
LEFT JOIN (
	SELECT run_id, count(*) AS count
	FROM task_links JOIN (SELECT DISTINCT run_id, told_id FROM run_links WHERE is_one_of(runs_, run_id)) USING (told_id) GROUP BY run_id
) AS l USING (run_id);
CREATE OR REPLACE MACRO wall_stamp_of(run) AS TABLE SELECT open, stamp FROM wall_stamps_by_run([run]);
