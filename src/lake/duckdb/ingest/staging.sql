-- SPDX-License-Identifier: Apache-2.0
-- Where the records of a batch wait for their merge, if their table has a key. Only the writing connection sees these tables;
-- they are empty between batches.
CREATE TEMP TABLE staged_hosts AS FROM hosts LIMIT 0;
CREATE TEMP TABLE staged_containers AS FROM containers LIMIT 0;
CREATE TEMP TABLE staged_runs AS FROM runs LIMIT 0;
CREATE TEMP TABLE staged_tasks AS FROM tasks LIMIT 0;
CREATE TEMP TABLE staged_executions AS FROM executions LIMIT 0;
CREATE TEMP TABLE staged_gpus AS FROM gpus LIMIT 0;
CREATE TEMP TABLE staged_networks AS FROM networks LIMIT 0;
CREATE TEMP TABLE staged_links AS FROM links LIMIT 0;
CREATE TEMP TABLE staged_told_runs AS FROM told_runs LIMIT 0;
CREATE TEMP TABLE staged_told_tasks AS FROM told_tasks LIMIT 0;
-- Executions of which the numbers are looked for in the database (duckdb_keys.c).
CREATE TEMP TABLE sought_executions AS FROM execution_keys LIMIT 0;
-- Joins of runs that are being stored (duckdb_join.c).
CREATE TEMP TABLE joined (part_id VARCHAR, run_id VARCHAR, reason VARCHAR, value VARCHAR);
-- What samples of executions sum up to, and when they used their CPU (duckdb_sums.c, read_samples.sql): for roll_up_samples.sql.
CREATE TEMP TABLE sums_new (execution_key BIGINT, until_at TIMESTAMP, figures BLOB);
CREATE TEMP TABLE uses_new (execution_key BIGINT, since_at TIMESTAMP, until_at TIMESTAMP, is_used BOOLEAN);
