-- SPDX-License-Identifier: Apache-2.0
-- The key of the ledger has the host, too: a batch of one host is no duplicate of a batch of another one.
CREATE TABLE new_ledger (
	agent_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	host_id VARCHAR NOT NULL,
	created_at TIMESTAMP,
	received_at TIMESTAMP NOT NULL,
	records BIGINT NOT NULL,
	PRIMARY KEY (host_id, agent_id, boot_id, sequence)
);
INSERT INTO new_ledger BY NAME SELECT agent_id, boot_id, sequence, host_id, created_at, received_at, records FROM ledger;
DROP TABLE ledger;
ALTER TABLE new_ledger RENAME TO ledger;
