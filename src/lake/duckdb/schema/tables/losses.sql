-- SPDX-License-Identifier: Apache-2.0
-- What is missing, said aloud.
CREATE TABLE IF NOT EXISTS losses (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	what VARCHAR NOT NULL,
	count BIGINT NOT NULL,             -- 0: how many cannot be known
	since_at TIMESTAMP,
	until_at TIMESTAMP,
	why VARCHAR NOT NULL
);
