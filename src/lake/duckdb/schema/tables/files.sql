-- SPDX-License-Identifier: Apache-2.0
-- What executions did with files. An execution may have several rows for one file_id: their counts add up, and one of them has
-- the path.
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
	file_id BIGINT NOT NULL,           -- where it is no regular file: one number for each kind
	kind VARCHAR NOT NULL,             -- file system pseudo directory pipe socket device other more failed
	path VARCHAR NOT NULL,
	opens BIGINT NOT NULL,
	failures BIGINT NOT NULL,          -- of kind failed: opens
	moved_bytes BIGINT NOT NULL,       -- by how much file positions moved
	size_bytes BIGINT NOT NULL,        -- at last_at
	reads BOOLEAN NOT NULL,
	writes BOOLEAN NOT NULL,
	mapped BOOLEAN NOT NULL,
	error BIGINT NOT NULL,             -- errno; 0: none
	first_at TIMESTAMP,
	last_at TIMESTAMP
);
