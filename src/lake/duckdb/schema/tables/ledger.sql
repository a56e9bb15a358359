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

-- Which of these, and of those that were removed since, are stored: the sequences of each agent as ranges without a gap, of
-- batches up to the number in ledger_folded (one row). What came later is in the ledger alone. So that opening a file takes as long
-- with millions of batches as with a few: ingest/fold_ledger.sql.
CREATE TABLE IF NOT EXISTS ledger_ranges (
	host_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	first BIGINT NOT NULL,
	last BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS ledger_folded (batch_key BIGINT NOT NULL);
