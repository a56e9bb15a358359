-- SPDX-License-Identifier: Apache-2.0
-- Units of work that an engine or scheduler started, by task_id.
CREATE TABLE IF NOT EXISTS tasks (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	task_id VARCHAR NOT NULL,
	run_id VARCHAR NOT NULL,
	step VARCHAR NOT NULL,             -- tasks of a run that are the same kind of work
	name VARCHAR NOT NULL,
	sample VARCHAR NOT NULL,           -- the biological sample or shard
	status VARCHAR NOT NULL,           -- running succeeded failed killed lost
	pid BIGINT NOT NULL,               -- of its root process
	start_ns BIGINT NOT NULL,
	exit_code BIGINT NOT NULL,
	signal BIGINT NOT NULL,
	started_at TIMESTAMP,
	ended_at TIMESTAMP,
	cgroup_id BIGINT NOT NULL,
	cpus_requested DOUBLE NOT NULL,    -- 0: unknown
	memory_requested_bytes BIGINT NOT NULL, -- 0: unknown
	requested_by VARCHAR NOT NULL,     -- where the request is from: "tracer run", "nextflow", "cgroup"; empty: none
	attempt BIGINT NOT NULL,           -- 0: unknown
	queued_at TIMESTAMP,               -- when its engine had prepared it, or submitted it to a scheduler, as far as is known
	folder VARCHAR NOT NULL            -- that its engine made for this task; empty: none
);
