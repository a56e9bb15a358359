-- SPDX-License-Identifier: Apache-2.0
-- System calls of executions. An execution may have several rows for one class and error: they add up.
CREATE TABLE IF NOT EXISTS syscalls (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	pid BIGINT NOT NULL,
	start_ns BIGINT NOT NULL,
	image_seq BIGINT NOT NULL,
	run_id VARCHAR NOT NULL,
	task_id VARCHAR NOT NULL,
	class VARCHAR NOT NULL,            -- open read write metadata sync memory process signal lock poll socket time ipc async
	                                   -- compat other
	error VARCHAR NOT NULL,            -- '': none; 'other': several
	calls BIGINT NOT NULL,             -- that ended with this error
	time_ns BIGINT NOT NULL            -- the time that they took
);
