-- SPDX-License-Identifier: Apache-2.0
-- Where runs wrote and read: for storage that no one uses.

-- The folder of a file that a person would keep or remove as a whole, of a run in `folder`: a work folder of an engine; what is below the
-- run's folder; the folder of a program below that of temporary files; else the first three folders. A file that is in none is its own.
-- (A run may use a million files: an expression is only applied where a part of it is found.)
CREATE OR REPLACE MACRO work_folder_of(path) AS
	CASE WHEN regexp_matches(path, '/[0-9a-f]{2}/[0-9a-f]{30}/') -- of Nextflow
		THEN nullif(regexp_extract(path, '^(/.+)/[0-9a-f]{2}/[0-9a-f]{30}/', 1), '')
	WHEN contains(path, '/.snakemake/') THEN nullif(regexp_extract(path, '^(/.+/\.snakemake)/', 1), '') END;
CREATE OR REPLACE MACRO temporary_folder_of(path) AS
	CASE WHEN regexp_matches(path, '^(/tmp|/var/tmp|/dev/shm|/scratch)/')
		THEN nullif(regexp_extract(path, '^((/tmp|/var/tmp|/dev/shm|/scratch/[^/]+)/[^/]+)/', 1), '') END;
CREATE OR REPLACE MACRO is_below(path, folder) AS len(folder) > 1 AND starts_with(path, folder || '/');
CREATE OR REPLACE MACRO whole_folder_of(path, folder) AS
	CASE WHEN is_below(path, folder) THEN folder || '/' || split_part(substring(path, len(folder) + 2), '/', 1)
	ELSE coalesce(temporary_folder_of(path), nullif(regexp_extract(path, '^(/[^/]+/[^/]+/[^/]+)/', 1), ''), path) END;

-- What runs wrote to which folder, and (files 0) from which folders they read, when last.
CREATE OR REPLACE MACRO run_folders_by_run(runs_) AS TABLE
WITH used AS (
	SELECT run_id, any_value(host_id) AS host_id, max(path) AS path, bool_or(writes) AS writes, bool_or(reads OR mapped) AS reads,
		max(size_bytes) AS bytes, max(last_at) FILTER (writes) AS written_at, max(last_at) FILTER (reads OR mapped) AS read_at
	FROM files WHERE is_one_of(runs_, run_id) AND kind = 'file'
	GROUP BY run_id, hash(host_id, boot_id, file_id)
), placed AS MATERIALIZED (
	SELECT u.*, work_folder_of(path) AS work_folder, cwd
	FROM (FROM used WHERE path <> '') AS u JOIN (SELECT run_id, cwd FROM runs WHERE is_one_of(runs_, run_id)) AS r USING (run_id)
), kept AS MATERIALIZED (
	FROM placed WHERE work_folder IS NOT NULL OR NOT is_of_program(path)
), written AS (
	SELECT *, coalesce(work_folder, whole_folder_of(path, cwd)) AS folder,
		work_folder IS NOT NULL OR (NOT is_below(path, cwd) AND temporary_folder_of(path) IS NOT NULL) AS scratch
	FROM kept WHERE writes
)
SELECT run_id, host_id, folder AS path, scratch, count(*) AS files, cut(sum(bytes)) AS bytes, max(written_at) AS written_at, max(read_at) AS read_at
FROM written GROUP BY run_id, host_id, folder, scratch
UNION ALL
SELECT run_id, host_id, coalesce(work_folder, parse_dirpath(path)), false, 0, 0, NULL, max(read_at)
FROM kept WHERE reads AND NOT writes GROUP BY ALL;
CREATE TABLE IF NOT EXISTS settled_folders AS
SELECT 0::BIGINT AS number, * EXCLUDE (run_id) FROM run_folders_by_run(['']) LIMIT 0;
