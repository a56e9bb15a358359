-- SPDX-License-Identifier: Apache-2.0
-- What came back of executions' requests to block devices, said in parts: the counts of an execution's device and
-- operation add up.
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
	requests BIGINT NOT NULL,          -- that came back, failed or not
	bytes BIGINT NOT NULL,             -- of those that did not fail
	failures BIGINT NOT NULL,
	unfinished BIGINT NOT NULL,        -- at the image's end: not seen to come back
	latency_ns BIGINT NOT NULL,        -- of requests, added
	latencies BIGINT[] NOT NULL        -- requests below 1 us, then from 2^(k-1) to 2^k us; the last: 4.2 s and more
);
