-- SPDX-License-Identifier: Apache-2.0
-- What executions moved through sockets, by (host_id, pid, start_ns, image_seq, family, protocol, loopback); counts
-- since the image began.
CREATE TABLE IF NOT EXISTS networks (
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
	family VARCHAR NOT NULL,           -- inet inet6 unix other
	protocol VARCHAR NOT NULL,         -- tcp udp stream dgram other
	loopback BOOLEAN NOT NULL,         -- inet, inet6: within the host
	rx_bytes BIGINT NOT NULL,
	tx_bytes BIGINT NOT NULL,
	rx_calls BIGINT NOT NULL,          -- that did not fail
	tx_calls BIGINT NOT NULL,
	connects BIGINT NOT NULL,          -- tcp, as those below
	accepts BIGINT NOT NULL,
	connect_failures BIGINT NOT NULL,
	resets BIGINT NOT NULL,
	retransmits BIGINT NOT NULL,
	connect_ns BIGINT NOT NULL,        -- the time that connects took
	peer VARCHAR NOT NULL              -- that the last of connects led to
);
