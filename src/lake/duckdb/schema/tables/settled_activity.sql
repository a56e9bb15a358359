-- SPDX-License-Identifier: Apache-2.0
-- Who worked where of the runs that are settled: what queries find out of executions and samples of the others.
-- Rows come and go with those of the run in `settled`, and have its number (settled.sql).

-- The runs that are in the tables below.
CREATE TABLE IF NOT EXISTS settled_activity (
	number BIGINT NOT NULL,
	run_id VARCHAR NOT NULL
);

-- A run on a host.
CREATE TABLE IF NOT EXISTS settled_activity_runs (
	number BIGINT NOT NULL,
	host_id VARCHAR NOT NULL,
	run_id VARCHAR NOT NULL,
	since_at TIMESTAMP,                -- its first execution there
	until_at TIMESTAMP                 -- the end of its last one
);

-- When a run used a host (queries/host/activity_used.sql).
CREATE TABLE IF NOT EXISTS settled_activity_used (
	number BIGINT NOT NULL,
	host_id VARCHAR NOT NULL,
	run_id VARCHAR NOT NULL,
	since_at TIMESTAMP NOT NULL,
	until_at TIMESTAMP NOT NULL
);

-- The samples of executions up to the sample_key in samples_rolled (no row: none yet) are added up in the tables below, those since are
-- read as they are. Samples are numbered in the order of arrival: it does not matter what time they are of.
-- Filled by ingest/roll_up_samples.sql.
CREATE TABLE IF NOT EXISTS samples_rolled (sample_key BIGINT NOT NULL);

-- Of executions that run, or were lost or found: what their samples sum up to. One row an execution.
CREATE TABLE IF NOT EXISTS execution_sums (
	execution_key BIGINT NOT NULL,
	until_at TIMESTAMP,                -- of the last sample
	user_ns BIGINT NOT NULL,           -- as in the figures
	kernel_ns BIGINT NOT NULL,
	figures BLOB NOT NULL              -- sum_figures(), duckdb_figure_sums.h
);

-- When executions that may wait (of no run, of sessions) used 1 % of a CPU or more, by their samples.
CREATE TABLE IF NOT EXISTS waits (
	execution_key BIGINT NOT NULL,
	host_id VARCHAR NOT NULL,
	since_at TIMESTAMP NOT NULL,
	until_at TIMESTAMP NOT NULL
);
-- Which of these executions have samples at all; short ones have none.
CREATE TABLE IF NOT EXISTS waits_sampled (execution_key BIGINT NOT NULL);
