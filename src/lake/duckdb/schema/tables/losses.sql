-- SPDX-License-Identifier: Apache-2.0
-- What is missing, and why.
CREATE TABLE IF NOT EXISTS losses (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	what VARCHAR NOT NULL,
	count BIGINT NOT NULL,             -- 0: the number is unknown
	since_at TIMESTAMP,
	until_at TIMESTAMP,
	why VARCHAR NOT NULL
);
