-- SPDX-License-Identifier: Apache-2.0
-- What an execution's figures grew by between two instants; rss_bytes and the like, rss_peak_bytes, threads_peak: levels at until_at.
-- Samples are most of the rows of a lake. So numbers stand for the texts of their execution and batch, and the figures, of which most
-- are 0, are one value (unpack_figures(), figures/duckdb_figures.h). Readers take the view `samples`, which has all columns.

-- The number of each execution that a record was about, in the order of arrival.
CREATE TABLE IF NOT EXISTS execution_keys (
	execution_key BIGINT NOT NULL,
	host_id VARCHAR NOT NULL,
	pid BIGINT NOT NULL,
	start_ns BIGINT NOT NULL,
	image_seq BIGINT NOT NULL
);

CREATE TABLE IF NOT EXISTS samples_packed (
	sample_key BIGINT NOT NULL,        -- its number, in the order of arrival
	execution_key BIGINT NOT NULL,
	batch_key BIGINT NOT NULL,         -- of its batch, in the ledger
	since_at TIMESTAMP,
	until_at TIMESTAMP,
	figures BLOB NOT NULL USING COMPRESSION zstd
);
