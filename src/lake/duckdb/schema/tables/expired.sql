-- SPDX-License-Identifier: Apache-2.0
-- Of which settled runs retention removed rows (keep/duckdb_expire.c): samples, files, processes.
CREATE TABLE IF NOT EXISTS expired (
	run_id VARCHAR NOT NULL,
	kind VARCHAR NOT NULL,
	expired_at TIMESTAMP NOT NULL      -- by this machine's clock
);
