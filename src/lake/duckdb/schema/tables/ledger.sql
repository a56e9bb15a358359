-- SPDX-License-Identifier: Apache-2.0
-- Which batches are stored: written in one transaction with their rows, so that a batch that arrives twice is recognised. The store
-- keeps in memory which sequences of each agent are here (lake/store/ingest/batch_ledger.h): an index would grow with every batch.
CREATE TABLE IF NOT EXISTS ledger (
	batch_key BIGINT NOT NULL,         -- its number, in the order of arrival
	agent_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	host_id VARCHAR NOT NULL,
	created_at TIMESTAMP,              -- by the agent's clock
	received_at TIMESTAMP NOT NULL,    -- by this machine's
	records BIGINT NOT NULL            -- rows it brought, all tables
);
