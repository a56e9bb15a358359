-- SPDX-License-Identifier: Apache-2.0
-- What executions did with files, said in parts: an execution's counts of one file_id add up; one of the parts bears the
-- path.
CREATE TABLE IF NOT EXISTS files (
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
	file_id BIGINT NOT NULL,           -- of what is no regular file, of its kind
	kind VARCHAR NOT NULL,             -- file system pseudo directory pipe socket device other more failed
	path VARCHAR NOT NULL,
	opens BIGINT NOT NULL,
	failures BIGINT NOT NULL,          -- of kind failed: opens
	moved_bytes BIGINT NOT NULL,       -- how far positions moved
	size_bytes BIGINT NOT NULL,        -- at last_at
	reads BOOLEAN NOT NULL,
	writes BOOLEAN NOT NULL,
	mapped BOOLEAN NOT NULL,
	error BIGINT NOT NULL,             -- errno; 0: none
	first_at TIMESTAMP,
	last_at TIMESTAMP
);
