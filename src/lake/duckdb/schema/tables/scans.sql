-- SPDX-License-Identifier: Apache-2.0
-- Instants since when the agent has (again) reported everything alive on its host; see close_lost.sql.
CREATE TABLE IF NOT EXISTS scans (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	scanned_at TIMESTAMP
);
