-- SPDX-License-Identifier: Apache-2.0
-- Executions of a pipeline, by run_id.
CREATE TABLE IF NOT EXISTS runs (
	host_id VARCHAR NOT NULL,          -- where its root process is
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	run_id VARCHAR NOT NULL,
	name VARCHAR NOT NULL,
	pipeline VARCHAR NOT NULL,
	engine VARCHAR NOT NULL,           -- snakemake, tracer run, …
	status VARCHAR NOT NULL,           -- queued running succeeded failed killed lost
	pid BIGINT NOT NULL,               -- of its root process
	start_ns BIGINT NOT NULL,          -- boot-time clock of the root process
	uid BIGINT NOT NULL,
	"user" VARCHAR NOT NULL,
	cwd VARCHAR NOT NULL,
	command VARCHAR NOT NULL,          -- masked
	exit_code BIGINT NOT NULL,
	signal BIGINT NOT NULL,
	started_at TIMESTAMP,
	ended_at TIMESTAMP,
	labels JSON NOT NULL,              -- {"key": "value"}
	trace_id VARCHAR NOT NULL,
	task_limit BIGINT NOT NULL,        -- how many tasks at once its engine was told to run; 0: not known
	parent_run_id VARCHAR NOT NULL     -- that it was started in, as its agent calls it; empty: none
);

-- By what runs that several agents tell of may be found to be one, by (run_id, kind, value): join_next.sql.
CREATE TABLE IF NOT EXISTS links (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	run_id VARCHAR NOT NULL,           -- as its agent told it
	kind VARCHAR NOT NULL,             -- folder, job, container, trace
	value VARCHAR NOT NULL,
	lead BOOLEAN NOT NULL              -- false: it is a job of an engine elsewhere
);

-- Runs that are a part of another: what their agents tell of them is entered under that one's run_id, in all tables but
-- runs and links. The lake's own, filled by join_enter.sql.
CREATE TABLE IF NOT EXISTS parts (
	part_id VARCHAR NOT NULL,          -- a run, as its agent told it
	run_id VARCHAR NOT NULL,           -- which it is a part of; no part itself
	reason VARCHAR NOT NULL,           -- the kind of link that said so
	value VARCHAR NOT NULL,
	joined_at TIMESTAMP NOT NULL       -- by this machine's clock
);
