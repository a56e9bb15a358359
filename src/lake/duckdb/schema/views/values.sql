-- SPDX-License-Identifier: Apache-2.0
-- The instant of the statement, in UTC.
CREATE OR REPLACE MACRO now_at() AS make_timestamp(epoch_us(now()));

-- Whether a record of one batch replaces that of another: within a boot of an agent the sequence decides, else the time at which
-- the batch was closed.
CREATE OR REPLACE MACRO supersedes(agent_id, boot_id, sequence, created_at,
		held_agent_id, held_boot_id, held_sequence, held_created_at) AS
	CASE WHEN agent_id = held_agent_id AND boot_id = held_boot_id THEN sequence >= held_sequence
	ELSE coalesce(created_at >= held_created_at, true) END;

-- Of a user without a name: the uid.
CREATE OR REPLACE MACRO owner_of(user_name, uid) AS coalesce(nullif(user_name, ''), uid::VARCHAR);
CREATE OR REPLACE MACRO label_texts(labels) AS
	list_transform(map_entries(labels::MAP(VARCHAR, VARCHAR)), lambda label: label.key || '=' || label.value);

-- Whether a reader may read a run of this user (owner_of) with these labels. reader: a JSON object with the
-- lists "users" and "labels" ("KEY=VALUE"), of which one entry is enough (src/server/access/reader.h); what is no such object reads
-- nothing. NULL: reads everything.
CREATE OR REPLACE MACRO may_read(reader, user_name, uid, labels) AS
	reader IS NULL
	OR list_contains(TRY_CAST(TRY_CAST(reader AS JSON)->'$.users' AS VARCHAR[]), owner_of(user_name, uid))
	OR list_has_any(TRY_CAST(TRY_CAST(reader AS JSON)->'$.labels' AS VARCHAR[]), label_texts(labels));

-- Seconds from one instant to another, or NULL.
CREATE OR REPLACE MACRO seconds(started_at, ended_at) AS
	CASE WHEN ended_at < started_at THEN 0 ELSE (epoch_us(ended_at) - epoch_us(started_at)) / 1e6 END;
CREATE OR REPLACE MACRO is_failed(status) AS status IN ('failed', 'killed');

-- A sum as a BIGINT: beyond 2^60 it is cut, as the ingest cuts figures, so that nothing overflows. The sum of no rows is NULL
-- (least() ignores NULL, and would return 2^60).
CREATE OR REPLACE MACRO cut(figure) AS (CASE WHEN figure > 1152921504606846976 THEN 1152921504606846976 ELSE figure END)::BIGINT;

-- The sums of lists of requests by latency.
CREATE OR REPLACE MACRO add_latencies(b) AS [
	cut(coalesce(sum(b[1]), 0)), cut(coalesce(sum(b[2]), 0)), cut(coalesce(sum(b[3]), 0)), cut(coalesce(sum(b[4]), 0)),
	cut(coalesce(sum(b[5]), 0)), cut(coalesce(sum(b[6]), 0)), cut(coalesce(sum(b[7]), 0)), cut(coalesce(sum(b[8]), 0)),
	cut(coalesce(sum(b[9]), 0)), cut(coalesce(sum(b[10]), 0)), cut(coalesce(sum(b[11]), 0)), cut(coalesce(sum(b[12]), 0)),
	cut(coalesce(sum(b[13]), 0)), cut(coalesce(sum(b[14]), 0)), cut(coalesce(sum(b[15]), 0)), cut(coalesce(sum(b[16]), 0)),
	cut(coalesce(sum(b[17]), 0)), cut(coalesce(sum(b[18]), 0)), cut(coalesce(sum(b[19]), 0)), cut(coalesce(sum(b[20]), 0)),
	cut(coalesce(sum(b[21]), 0)), cut(coalesce(sum(b[22]), 0)), cut(coalesce(sum(b[23]), 0)), cut(coalesce(sum(b[24]), 0))];

-- The name of a program for people, also where no rule names the tool.
CREATE OR REPLACE MACRO tool_name(tool, exe) AS
	coalesce(nullif(tool, ''), nullif(parse_filename(exe), ''), '?');

-- Whether a run is in a list. (The bounds spare DuckDB most of a table.)
CREATE OR REPLACE MACRO is_one_of(runs, run_id) AS
	run_id >= list_min(runs) AND run_id <= list_max(runs) AND list_contains(runs, run_id);

-- The bounds of a query, where they are given.
CREATE OR REPLACE MACRO first_of(instant) AS coalesce(instant::TIMESTAMP, TIMESTAMP '1900-01-01');
CREATE OR REPLACE MACRO last_of(instant) AS coalesce(instant::TIMESTAMP, TIMESTAMP '9000-01-01');

-- Whether a provider has a machine or volume at an instant: now, gone, or unknown, since no later listing came.
CREATE OR REPLACE MACRO listed_of(gone_at, known_until, running, instant) AS
	CASE WHEN gone_at <= instant OR (known_until >= instant AND NOT running) THEN 'gone' WHEN known_until < instant THEN 'unknown' ELSE 'now' END;
