-- SPDX-License-Identifier: Apache-2.0
-- Instants from which on an agent has reported every live process of its host; see ingest/close_lost.sql.
CREATE TABLE IF NOT EXISTS scans (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	scanned_at TIMESTAMP
);
