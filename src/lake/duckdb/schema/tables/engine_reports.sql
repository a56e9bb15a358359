-- SPDX-License-Identifier: Apache-2.0
-- What engines report of their runs, by told_id, and of tasks, by (told_id, task): names, commands and requests, no figures. Here
-- host, boot and agent are those of the lake. A text that was not reported is empty.
CREATE TABLE IF NOT EXISTS told_runs (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,              -- of the latest report
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
	attempt BIGINT NOT NULL,           -- 0: not reported
	workdir VARCHAR NOT NULL,
	command VARCHAR NOT NULL,          -- masked
	outputs VARCHAR[] NOT NULL,
	submitted_at TIMESTAMP,
	cpus_requested DOUBLE NOT NULL,    -- 0: not reported
	memory_requested_bytes BIGINT NOT NULL -- 0: not reported
);

-- Which runs and tasks of agents these reports are about (link_engine_reports.sql): a row for each that was found. Each attempt
-- at a job of Snakemake is a task of its own.
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
