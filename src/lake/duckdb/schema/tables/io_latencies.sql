-- SPDX-License-Identifier: Apache-2.0
-- Completed requests of executions to block devices. An execution may have several rows for one device and operation: they add
-- up.
CREATE TABLE IF NOT EXISTS io_latencies (
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
	device VARCHAR NOT NULL,           -- as the kernel calls it; empty: of no disk
	operation VARCHAR NOT NULL,        -- read write flush other
	requests BIGINT NOT NULL,          -- that completed, failed or not
	bytes BIGINT NOT NULL,             -- of requests that did not fail
	failures BIGINT NOT NULL,
	unfinished BIGINT NOT NULL,        -- not completed at the end of the image
	latency_ns BIGINT NOT NULL,        -- summed over requests
	latencies BIGINT[] NOT NULL        -- requests below 1 us, then from 2^(k-1) to 2^k us; the last: 4.2 s and more
);
