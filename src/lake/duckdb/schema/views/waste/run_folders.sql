-- SPDX-License-Identifier: Apache-2.0
-- Where runs wrote and read: for storage that no one uses.

-- The folder of a file that a person would keep or remove as a whole, of a run in `folder`: a work folder of an engine; what is below the
-- run's folder; the folder of a program below that of temporary files; else the first three folders. A file that is in none is its own.
CREATE OR REPLACE MACRO work_folder_of(path) AS coalesce(
	nullif(regexp_extract(path, '^(/.+)/[0-9a-f]{2}/[0-9a-f]{30}/', 1), ''), -- of Nextflow
	nullif(regexp_extract(path, '^(/.+/\.snakemake)/', 1), ''));
CREATE OR REPLACE MACRO temporary_folder_of(path) AS nullif(regexp_extract(path, '^((/tmp|/var/tmp|/dev/shm|/scratch/[^/]+)/[^/]+)/', 1), '');
CREATE OR REPLACE MACRO is_below(path, folder) AS len(folder) > 1 AND starts_with(path, folder || '/');
CREATE OR REPLACE MACRO whole_folder_of(path, folder) AS coalesce(work_folder_of(path),
	CASE WHEN is_below(path, folder) THEN folder || '/' || split_part(substring(path, len(folder) + 2), '/', 1) END,
	temporary_folder_of(path), nullif(regexp_extract(path, '^(/[^/]+/[^/]+/[^/]+)/', 1), ''), path);

-- What runs wrote to which folder, and (files 0) from which folders they read, when last.
CREATE OR REPLACE MACRO run_folders_by_run(runs_) AS TABLE
WITH used AS (
	SELECT run_id, host_id, max(path) AS path, bool_or(writes) AS writes, bool_or(reads OR mapped) AS reads, max(size_bytes) AS bytes,
		max(last_at) FILTER (writes) AS written_at, max(last_at) FILTER (reads OR mapped) AS read_at
	FROM files WHERE is_one_of(runs_, run_id) AND kind = 'file'
	GROUP BY run_id, host_id, boot_id, file_id
), placed AS (
	SELECT u.*, whole_folder_of(path, cwd) AS folder, coalesce(work_folder_of(path), regexp_replace(path, '/[^/]*$', '')) AS read_folder,
		work_folder_of(path) IS NOT NULL OR (NOT is_below(path, cwd) AND temporary_folder_of(path) IS NOT NULL) AS scratch
	FROM (FROM used WHERE path <> '') AS u JOIN (SELECT run_id, cwd FROM runs WHERE is_one_of(runs_, run_id)) AS r USING (run_id)
	WHERE work_folder_of(path) IS NOT NULL OR NOT is_of_program(path)
)
SELECT run_id, host_id, folder AS path, scratch, count(*) AS files, cut(sum(bytes)) AS bytes, max(written_at) AS written_at, max(read_at) AS read_at
FROM placed WHERE writes GROUP BY run_id, host_id, folder, scratch
UNION ALL
SELECT run_id, host_id, read_folder, scratch, 0, 0, NULL, max(read_at) FROM placed WHERE reads AND NOT writes GROUP BY ALL;
CREATE TABLE IF NOT EXISTS settled_folders AS
SELECT 0::BIGINT AS number, * EXCLUDE (run_id) FROM run_folders_by_run(['']) LIMIT 0;
