-- What the queries share. Replaced at each start.

-- The instant of the statement, in UTC.
CREATE OR REPLACE MACRO now_at() AS make_timestamp(epoch_us(now()));

-- true when a record of one batch stands above that of another: within an agent's boot the sequence decides, else when
-- the batch was closed.
CREATE OR REPLACE MACRO supersedes(agent_id, boot_id, sequence, created_at,
		held_agent_id, held_boot_id, held_sequence, held_created_at) AS
	CASE WHEN agent_id = held_agent_id AND boot_id = held_boot_id THEN sequence >= held_sequence
	ELSE coalesce(created_at >= held_created_at, true) END;

-- Seconds from one instant to another, or NULL.
CREATE OR REPLACE MACRO seconds(started_at, ended_at) AS
	CASE WHEN ended_at < started_at THEN 0 ELSE (epoch_us(ended_at) - epoch_us(started_at)) / 1e6 END;

CREATE OR REPLACE MACRO is_failed(status) AS status IN ('failed', 'killed');

-- A sum as a BIGINT: beyond 2^60 it is cut, as the ingest cuts figures, so that nothing overflows.
CREATE OR REPLACE MACRO cut(figure) AS least(figure, 1152921504606846976)::BIGINT;

-- What a person calls the program when no rule named it.
CREATE OR REPLACE MACRO tool_name(tool, exe) AS
	coalesce(nullif(tool, ''), nullif(parse_filename(exe), ''), '?');

-- Executions as of now. The record of one that runs (or was lost) says what was known when it was written; its samples
-- know more. Never less than either, so that nothing is counted twice. An execution that was lost was last alive at
-- its last sample.
CREATE OR REPLACE VIEW execution_now AS
WITH grown AS (
	SELECT host_id, pid, start_ns, image_seq, e.run_id,
		max(s.until_at) AS until_at,
		cut(sum(s.user_ns)) AS user_ns,
		cut(sum(s.kernel_ns)) AS kernel_ns,
		cut(sum(s.runnable_ns)) AS runnable_ns,
		cut(sum(s.minor_faults)) AS minor_faults,
		cut(sum(s.major_faults)) AS major_faults,
		cut(sum(s.ctx_voluntary)) AS ctx_voluntary,
		cut(sum(s.ctx_involuntary)) AS ctx_involuntary,
		cut(sum(s.read_chars_bytes)) AS read_chars_bytes,
		cut(sum(s.write_chars_bytes)) AS write_chars_bytes,
		cut(sum(s.disk_read_bytes)) AS disk_read_bytes,
		cut(sum(s.disk_write_bytes)) AS disk_write_bytes,
		arg_max(s.rss_bytes, s.until_at) AS rss_bytes,
		max(s.rss_peak_bytes) AS rss_peak_bytes,
		max(s.threads_peak) AS threads_peak
	FROM executions AS e JOIN samples AS s USING (host_id, pid, start_ns, image_seq)
	WHERE e.status IN ('running', 'lost')
	GROUP BY ALL
)
SELECT * FROM executions WHERE status NOT IN ('running', 'lost')
UNION ALL BY NAME
SELECT e.* REPLACE (
	CASE WHEN e.status = 'lost' THEN greatest(e.ended_at, g.until_at) END AS ended_at,
	greatest(e.user_ns, g.user_ns) AS user_ns,
	greatest(e.kernel_ns, g.kernel_ns) AS kernel_ns,
	greatest(e.runnable_ns, g.runnable_ns) AS runnable_ns,
	greatest(e.minor_faults, g.minor_faults) AS minor_faults,
	greatest(e.major_faults, g.major_faults) AS major_faults,
	greatest(e.ctx_voluntary, g.ctx_voluntary) AS ctx_voluntary,
	greatest(e.ctx_involuntary, g.ctx_involuntary) AS ctx_involuntary,
	greatest(e.read_chars_bytes, g.read_chars_bytes) AS read_chars_bytes,
	greatest(e.write_chars_bytes, g.write_chars_bytes) AS write_chars_bytes,
	greatest(e.disk_read_bytes, g.disk_read_bytes) AS disk_read_bytes,
	greatest(e.disk_write_bytes, g.disk_write_bytes) AS disk_write_bytes,
	CASE WHEN e.status = 'lost' THEN 0 ELSE coalesce(g.rss_bytes, e.rss_bytes) END AS rss_bytes,
	greatest(e.rss_peak_bytes, g.rss_peak_bytes) AS rss_peak_bytes,
	greatest(e.threads_peak, g.threads_peak) AS threads_peak)
FROM executions AS e LEFT JOIN grown AS g USING (host_id, pid, start_ns, image_seq, run_id)
WHERE e.status IN ('running', 'lost');

-- Seconds an execution lived, by the boot-time clock once it ended; so far, while it runs.
CREATE OR REPLACE MACRO execution_wall_s(status, wall_ns, started_at, ended_at) AS
	CASE WHEN status NOT IN ('running', 'lost') AND wall_ns > 0 THEN wall_ns / 1e9
	ELSE seconds(started_at, coalesce(ended_at, now_at())) END;

-- When a run or a task ended (NULL: it runs): one that was lost was last alive when its last execution was.
CREATE OR REPLACE MACRO last_alive_at(status, ended_at, executions_ended_at) AS
	CASE WHEN status = 'lost' THEN greatest(ended_at, executions_ended_at) ELSE ended_at END;

-- Seconds it took; so far, while it runs.
CREATE OR REPLACE MACRO whole_wall_s(status, started_at, ended_at, executions_ended_at) AS
	seconds(started_at, CASE WHEN status = 'running' THEN now_at()
		ELSE last_alive_at(status, ended_at, executions_ended_at) END);

-- The figures of runs, summed by any column of their executions or by step: sums over processes are totals by
-- construction.
CREATE OR REPLACE MACRO figures_by(runs, column_) AS TABLE
SELECT column_ AS key,
	count(*) AS executions,
	count(*) FILTER (is_failed(status)) AS executions_failed,
	coalesce(sum(execution_wall_s(status, wall_ns, started_at, ended_at)), 0) AS executions_wall_s,
	max(ended_at) AS executions_ended_at,
	sum(user_ns) AS user_ns,
	sum(kernel_ns) AS kernel_ns,
	sum(runnable_ns) AS runnable_ns,
	sum(minor_faults) AS minor_faults,
	sum(major_faults) AS major_faults,
	sum(ctx_voluntary) AS ctx_voluntary,
	sum(ctx_involuntary) AS ctx_involuntary,
	sum(read_chars_bytes) AS read_chars_bytes,
	sum(write_chars_bytes) AS write_chars_bytes,
	sum(disk_read_bytes) AS disk_read_bytes,
	sum(disk_write_bytes) AS disk_write_bytes,
	sum(rss_bytes) AS rss_bytes,
	max(rss_peak_bytes) AS rss_peak_bytes,
	max(threads_peak) AS threads_peak
FROM execution_now LEFT JOIN (SELECT task_id, step FROM tasks WHERE run_id IN (SELECT unnest(runs))) USING (task_id)
WHERE run_id IN (SELECT unnest(runs))
GROUP BY ALL;

-- The most memory that each task of a run can have held: at each instant the peaks of its executions alive then,
-- added. An upper bound: peaks need not coincide, and what processes share counts for each.
CREATE OR REPLACE MACRO memory_peaks(run) AS TABLE
SELECT task_id, cut(max(bytes)) AS memory_peak_bytes
FROM (
	SELECT task_id, sum(delta) OVER (PARTITION BY task_id ORDER BY instant, delta ROWS UNBOUNDED PRECEDING) AS bytes
	FROM (
		SELECT task_id, unnest([
			{ 'instant': started_at, 'delta': rss_peak_bytes },
			{ 'instant': greatest(coalesce(ended_at, now_at()), started_at + INTERVAL 1 MICROSECOND),
				'delta': -rss_peak_bytes }
		], recursive := true)
		FROM execution_now WHERE run_id = run AND task_id <> ''
	)
)
GROUP BY task_id;

-- The tasks of a run with all that is known of them.
CREATE OR REPLACE MACRO tasks_of(run) AS TABLE
SELECT t.task_id AS id, t.step, t.name, t.sample, t.host_id, h.hostname AS host, nullif(c.container_id, '') AS container,
	t.status,
	CASE WHEN t.status NOT IN ('running', 'lost') AND t.signal = 0 THEN t.exit_code END AS exit_code,
	nullif(t.signal, 0) AS signal,
	t.started_at,
	last_alive_at(t.status, t.ended_at, f.executions_ended_at) AS ended_at,
	NULL::TIMESTAMP AS queued_at,
	whole_wall_s(t.status, t.started_at, t.ended_at, f.executions_ended_at) AS wall_s,
	nullif(t.attempt, 0) AS attempt,
	nullif(t.cpus_requested, 0) AS cpus_requested,
	nullif(t.memory_requested_bytes, 0) AS memory_requested_bytes,
	nullif(t.requested_by, '') AS requested_by,
	m.memory_peak_bytes,
	coalesce(COLUMNS(f.* EXCLUDE (key, executions_failed, executions_wall_s, executions_ended_at)), 0),
	coalesce(n.tools, '[]'::JSON) AS tools
FROM tasks AS t
LEFT JOIN hosts AS h USING (host_id)
LEFT JOIN containers AS c ON c.host_id = t.host_id AND c.boot_id = t.boot_id AND c.cgroup_id = t.cgroup_id
LEFT JOIN figures_by([run], task_id) AS f ON f.key = t.task_id
LEFT JOIN memory_peaks(run) AS m ON m.task_id = t.task_id
LEFT JOIN (
	SELECT task_id, to_json(list_sort(list(DISTINCT tool_name(tool, exe)))) AS tools
	FROM executions WHERE run_id = run GROUP BY task_id
) AS n ON n.task_id = t.task_id
WHERE t.run_id = run;

-- Runs with their sums.
CREATE OR REPLACE MACRO runs_of(runs_) AS TABLE
SELECT r.run_id AS id, r.name, r.pipeline, r.engine, r.status, r."user", r.started_at,
	last_alive_at(r.status, r.ended_at, f.executions_ended_at) AS ended_at,
	whole_wall_s(r.status, r.started_at, r.ended_at, f.executions_ended_at) AS wall_s,
	coalesce(w.hosts, to_json([coalesce(h.hostname, r.host_id)])) AS hosts,
	r.labels,
	coalesce(t.tasks, 0) AS tasks, coalesce(t.failed, 0) AS tasks_failed, coalesce(t.running, 0) AS tasks_running,
	coalesce(COLUMNS(f.* EXCLUDE (key, executions_failed, executions_wall_s, executions_ended_at)), 0),
	r.command, r.cwd
FROM runs AS r
LEFT JOIN hosts AS h USING (host_id)
LEFT JOIN figures_by(runs_, run_id) AS f ON f.key = r.run_id
LEFT JOIN (
	SELECT run_id, count(*) AS tasks, count(*) FILTER (is_failed(status)) AS failed,
		count(*) FILTER (status = 'running') AS running
	FROM tasks WHERE run_id IN (SELECT unnest(runs_)) GROUP BY run_id
) AS t ON t.run_id = r.run_id
LEFT JOIN (
	SELECT run_id, to_json(list_sort(list(DISTINCT coalesce(hostname, host_id)))) AS hosts
	FROM executions LEFT JOIN hosts USING (host_id)
	WHERE run_id IN (SELECT unnest(runs_)) GROUP BY run_id
) AS w ON w.run_id = r.run_id
WHERE r.run_id IN (SELECT unnest(runs_));

-- What was lost on a run's hosts while it ran.
CREATE OR REPLACE MACRO losses_of(run) AS TABLE
SELECT l.* FROM losses AS l
WHERE l.host_id IN (
		SELECT host_id FROM executions WHERE run_id = run UNION SELECT host_id FROM runs WHERE run_id = run)
	AND l.until_at >= (SELECT started_at FROM runs WHERE run_id = run)
	AND l.since_at <= (SELECT coalesce(CASE WHEN status <> 'lost' THEN ended_at END, now_at()) FROM runs WHERE run_id = run);

-- Paging: a cursor is "RANK ID" of the last row seen; rows follow it by rank, then id.
CREATE OR REPLACE MACRO cursor_of(rank, id) AS rank || ' ' || id;
CREATE OR REPLACE MACRO cursor_rank(cursor) AS TRY_CAST(split_part(cursor, ' ', 1) AS BIGINT);
CREATE OR REPLACE MACRO cursor_id(cursor) AS substr(cursor, strpos(cursor, ' ') + 1);
CREATE OR REPLACE MACRO follows(cursor, rank, id) AS
	cursor IS NULL OR rank > cursor_rank(cursor) OR (rank = cursor_rank(cursor) AND id > cursor_id(cursor));
CREATE OR REPLACE MACRO follows_down(cursor, rank, id) AS
	cursor IS NULL OR rank < cursor_rank(cursor) OR (rank = cursor_rank(cursor) AND id < cursor_id(cursor));
