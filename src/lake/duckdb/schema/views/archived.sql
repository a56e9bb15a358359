-- SPDX-License-Identifier: Apache-2.0
-- Rows of the tables, and those that retention moved to the archive in `folder`, for who reads the store by SQL. A macro is looked into
-- when it is used: without an archive none of its files is looked for. Files that the store does not list (of an earlier copy of it,
-- or of a lake that was killed) do not count.
CREATE OR REPLACE MACRO is_archived(folder, file) AS
	file IN (SELECT folder || '/' || name FROM archived);

-- (The store's own samples are packed: only the lake reads the view `samples`.)
CREATE OR REPLACE MACRO archived_samples(folder) AS TABLE
SELECT * EXCLUDE (filename) FROM read_parquet(folder || '/samples/*/*/*.parquet', union_by_name = true, hive_partitioning = false, filename = true)
WHERE is_archived(folder, filename);

CREATE OR REPLACE MACRO all_files(folder) AS TABLE
FROM files UNION ALL BY NAME
SELECT * EXCLUDE (filename) FROM read_parquet(folder || '/files/*/*/*.parquet', union_by_name = true, hive_partitioning = false, filename = true)
WHERE is_archived(folder, filename);

CREATE OR REPLACE MACRO all_executions(folder) AS TABLE
FROM executions UNION ALL BY NAME
SELECT * EXCLUDE (filename)
FROM read_parquet(folder || '/executions/*/*/*.parquet', union_by_name = true, hive_partitioning = false, filename = true)
WHERE is_archived(folder, filename);

CREATE OR REPLACE MACRO all_networks(folder) AS TABLE
FROM networks UNION ALL BY NAME
SELECT * EXCLUDE (filename) FROM read_parquet(folder || '/networks/*/*/*.parquet', union_by_name = true, hive_partitioning = false, filename = true)
WHERE is_archived(folder, filename);

CREATE OR REPLACE MACRO all_io_latencies(folder) AS TABLE
FROM io_latencies UNION ALL BY NAME
SELECT * EXCLUDE (filename)
FROM read_parquet(folder || '/io_latencies/*/*/*.parquet', union_by_name = true, hive_partitioning = false, filename = true)
WHERE is_archived(folder, filename);

CREATE OR REPLACE MACRO all_syscalls(folder) AS TABLE
FROM syscalls UNION ALL BY NAME
SELECT * EXCLUDE (filename) FROM read_parquet(folder || '/syscalls/*/*/*.parquet', union_by_name = true, hive_partitioning = false, filename = true)
WHERE is_archived(folder, filename);
