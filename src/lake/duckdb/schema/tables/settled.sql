-- SPDX-License-Identifier: Apache-2.0
-- Settled runs: they ended, nothing arrived for a while, and what pages show of them is stored in the tables settled_* (made by
-- schema/views/settled.sql, filled by ingest/settle.sql). A run leaves this table, and its rows leave the others, in the transaction that
-- stores anything late about it. All of it can be made again from the other tables, unless rows_removed.
CREATE TABLE IF NOT EXISTS settled (
	number BIGINT NOT NULL,            -- of its rows in settled_*; the run that settled last has the largest
	run_id VARCHAR NOT NULL,
	parent_run_id VARCHAR NOT NULL,    -- as in runs
	uid BIGINT NOT NULL,               -- as in runs
	settled_at TIMESTAMP NOT NULL,     -- by this machine's clock
	layout VARCHAR NOT NULL,           -- layout.hash of the program that settled it
	began_at TIMESTAMP,                -- span_of
	ended_at TIMESTAMP,
	findings_stamp BIGINT NOT NULL,    -- run_stamps_of
	wall_stamp BIGINT NOT NULL,        -- wall_stamp_of
	rows_removed BOOLEAN NOT NULL      -- retention removed rows of it: it stays settled
);

-- The control groups of the tasks of a settled run: what becomes known of them later belongs to its tasks.
CREATE TABLE IF NOT EXISTS settled_cgroups (
	number BIGINT NOT NULL,
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	cgroup_id BIGINT NOT NULL
);

-- Which series of a settled run are in settled_series.
CREATE TABLE IF NOT EXISTS settled_intervals (
	number BIGINT NOT NULL,
	keyed_by VARCHAR NOT NULL,         -- run, tool, task
	interval_s BIGINT NOT NULL         -- how long a bucket is
);

-- What the server concluded of a settled run: findings, wall time.
CREATE TABLE IF NOT EXISTS settled_documents (
	number BIGINT NOT NULL,
	kind VARCHAR NOT NULL,
	maker VARCHAR NOT NULL,            -- by which version, with which settings: of another one it counts as missing
	text VARCHAR NOT NULL              -- JSON
);

-- What a run cost each time that it was settled before: its document of the kind 'cost' when it was unsettled (server/billing/kept_cost.h).
CREATE TABLE IF NOT EXISTS run_costs (
	run_id VARCHAR NOT NULL,
	text VARCHAR NOT NULL              -- JSON
);
