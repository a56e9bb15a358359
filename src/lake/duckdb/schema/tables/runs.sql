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
	task_limit BIGINT NOT NULL,        -- how many tasks its engine may run at once; 0: unknown
	parent_run_id VARCHAR NOT NULL     -- the run that it was started in, with the id of its agent; empty: none
);

-- By which links runs that several agents report may be found to be one, by (run_id, kind, value): lake/store/join/run_match.h.
CREATE TABLE IF NOT EXISTS links (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	run_id VARCHAR NOT NULL,           -- as its agent reports it
	kind VARCHAR NOT NULL,             -- folder, workflow, job, container, trace
	value VARCHAR NOT NULL,
	lead BOOLEAN NOT NULL              -- false: it is a job of an engine on another host
);

-- Runs that are a part of another one. What agents report of a part is stored under run_id, in all tables but runs and links.
-- Filled by ingest/join.sql.
CREATE TABLE IF NOT EXISTS parts (
	part_id VARCHAR NOT NULL,          -- a run, as its agent reports it
	run_id VARCHAR NOT NULL,           -- the run it is a part of, which is no part itself
	reason VARCHAR NOT NULL,           -- the kind of the link
	value VARCHAR NOT NULL,
	joined_at TIMESTAMP NOT NULL       -- by this machine's clock
);
