-- SPDX-License-Identifier: Apache-2.0
CREATE TABLE IF NOT EXISTS events (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	happened_at TIMESTAMP,
	kind VARCHAR NOT NULL,             -- exit_failed killed oom_kill exec_failed …
	pid BIGINT NOT NULL,               -- 0: of no process
	start_ns BIGINT NOT NULL,
	image_seq BIGINT NOT NULL,
	run_id VARCHAR NOT NULL,
	task_id VARCHAR NOT NULL,
	summary VARCHAR NOT NULL,          -- one sentence for people
	sender_pid BIGINT NOT NULL,        -- who sent the signal, or asked for memory; 0: the kernel, or not seen
	sender_uid BIGINT NOT NULL,
	sender VARCHAR NOT NULL,           -- its tool or name; empty: not seen
	code BIGINT NOT NULL,              -- exit code, signal or errno
	detail VARCHAR NOT NULL,           -- that in words
	path VARCHAR NOT NULL,             -- what was to run; the cgroup that was full; the file; the address
	limit_bytes BIGINT NOT NULL,       -- of that cgroup
	used_bytes BIGINT NOT NULL
);
