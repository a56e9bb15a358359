-- SPDX-License-Identifier: Apache-2.0
-- What engines told of their runs, by told_id, and of tasks, by (told_id, task): names only. Here host, boot and agent are
-- the lake itself. A text that was not told is empty.
CREATE TABLE IF NOT EXISTS told_runs (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,              -- heard last
	told_id VARCHAR NOT NULL,
	said_by VARCHAR NOT NULL,          -- weblog tower wms-monitor
	engine VARCHAR NOT NULL,
	engine_run_id VARCHAR NOT NULL,
	name VARCHAR NOT NULL,
	pipeline VARCHAR NOT NULL,
	cwd VARCHAR NOT NULL,
	command VARCHAR NOT NULL,          -- masked
	begun_at TIMESTAMP
);
CREATE TABLE IF NOT EXISTS told_tasks (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	told_id VARCHAR NOT NULL,
	task VARCHAR NOT NULL,             -- its id with the engine
	said_by VARCHAR NOT NULL,
	step VARCHAR NOT NULL,
	name VARCHAR NOT NULL,
	sample VARCHAR NOT NULL,
	status VARCHAR NOT NULL,           -- queued running ended cached
	attempt BIGINT NOT NULL,           -- 0: not told
	workdir VARCHAR NOT NULL,
	command VARCHAR NOT NULL,          -- masked
	outputs VARCHAR[] NOT NULL,
	submitted_at TIMESTAMP,
	cpus_requested DOUBLE NOT NULL,    -- 0: not told
	memory_requested_bytes BIGINT NOT NULL -- 0: not told
);

-- Which of our runs and tasks those are (link_told.sql): a row for each that was found. Each attempt at a job of
-- Snakemake's is a task of ours.
CREATE TABLE IF NOT EXISTS run_links (
	run_id VARCHAR NOT NULL,
	told_id VARCHAR NOT NULL,
	reason VARCHAR NOT NULL            -- tasks, folder
);
CREATE TABLE IF NOT EXISTS task_links (
	task_id VARCHAR NOT NULL,
	told_id VARCHAR NOT NULL,
	task VARCHAR NOT NULL
);
