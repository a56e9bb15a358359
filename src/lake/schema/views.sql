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
	greatest(epoch_us(ended_at) - epoch_us(started_at), 0) / 1e6;

CREATE OR REPLACE MACRO is_failed(status) AS status IN ('failed', 'killed');

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
		sum(s.user_ns)::BIGINT AS user_ns,
		sum(s.kernel_ns)::BIGINT AS kernel_ns,
		sum(s.runnable_ns)::BIGINT AS runnable_ns,
		sum(s.minor_faults)::BIGINT AS minor_faults,
		sum(s.major_faults)::BIGINT AS major_faults,
		sum(s.ctx_voluntary)::BIGINT AS ctx_voluntary,
		sum(s.ctx_involuntary)::BIGINT AS ctx_involuntary,
		sum(s.read_chars_bytes)::BIGINT AS read_chars_bytes,
		sum(s.write_chars_bytes)::BIGINT AS write_chars_bytes,
		sum(s.disk_read_bytes)::BIGINT AS disk_read_bytes,
		sum(s.disk_write_bytes)::BIGINT AS disk_write_bytes,
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

-- The figures of runs, summed by any column of their executions: sums over processes are totals by construction.
CREATE OR REPLACE MACRO figures_by(runs, column_) AS TABLE
SELECT column_ AS key,
	count(*) AS executions,
	count(*) FILTER (is_failed(status)) AS executions_failed,
	coalesce(sum(execution_wall_s(status, wall_ns, started_at, ended_at)), 0) AS executions_wall_s,
	sum(user_ns)::HUGEINT AS user_ns,
	sum(kernel_ns)::HUGEINT AS kernel_ns,
	sum(runnable_ns)::HUGEINT AS runnable_ns,
	sum(minor_faults)::HUGEINT AS minor_faults,
	sum(major_faults)::HUGEINT AS major_faults,
	sum(ctx_voluntary)::HUGEINT AS ctx_voluntary,
	sum(ctx_involuntary)::HUGEINT AS ctx_involuntary,
	sum(read_chars_bytes)::HUGEINT AS read_chars_bytes,
	sum(write_chars_bytes)::HUGEINT AS write_chars_bytes,
	sum(disk_read_bytes)::HUGEINT AS disk_read_bytes,
	sum(disk_write_bytes)::HUGEINT AS disk_write_bytes,
	sum(rss_bytes)::HUGEINT AS rss_bytes,
	max(rss_peak_bytes) AS rss_peak_bytes,
	max(threads_peak) AS threads_peak
FROM execution_now WHERE run_id IN (SELECT unnest(runs)) GROUP BY ALL;
