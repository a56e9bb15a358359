-- SPDX-License-Identifier: Apache-2.0
-- The files of the archive (archive/duckdb_archive.h): rows that retention took out of the tables.
CREATE TABLE IF NOT EXISTS archived (
	run_id VARCHAR NOT NULL,           -- of all rows of the file
	host_id VARCHAR NOT NULL,          -- of all rows of the file
	kind VARCHAR NOT NULL,             -- the table, or view, of which it has all columns
	name VARCHAR NOT NULL,             -- below the folder of the archive
	rows BIGINT NOT NULL
);
