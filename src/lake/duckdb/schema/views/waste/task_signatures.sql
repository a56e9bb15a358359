-- SPDX-License-Identifier: Apache-2.0
-- What tasks did, as a text that is the same where the same is done again: for work that is repeated.

-- A text without what differs from run to run: the folders of the task and the run, the home of a user, names made at random.
-- (A run may use a million files: an expression is only applied where a part of it is found.)
-- (By lambdas: a macro's argument is copied to each place that names it, and these are in each other, so that there were hundreds of copies.)
CREATE OR REPLACE MACRO without_folder(word, folder) AS list_transform([word], lambda w:
	CASE WHEN len(folder) > 1 AND contains(w, folder) THEN replace(replace(w, folder || '/', ''), folder, '.') ELSE w END)[1];
CREATE OR REPLACE MACRO without_ids(word) AS list_transform([word], lambda w:
	CASE WHEN regexp_matches(w, '[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{2}/[0-9a-f]{30}') -- the latter: a task's folder of Nextflow
		THEN regexp_replace(w, '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{2}/[0-9a-f]{30}', '*', 'g')
	ELSE w END)[1];
CREATE OR REPLACE MACRO without_home(word) AS list_transform([word], lambda w:
	CASE WHEN contains(w, '/home/') OR contains(w, '/Users/') THEN regexp_replace(w, '/(home|Users)/[^/]+', '~', 'g') ELSE w END)[1];
CREATE OR REPLACE MACRO without_temporary(word) AS list_transform([word], lambda w:
	CASE WHEN contains(w, 'tmp') OR contains(w, 'nxf') OR contains(w, '/spool/')
		THEN regexp_replace(regexp_replace(w, '/tmp/[^/ ]+/', '/tmp/*/', 'g'),
			'\b(tmp|nxf)[._-]?[A-Za-z0-9_]{6,}|/var/spool/slurm[^ ]*', 'tmp*', 'g')
	ELSE w END)[1];
CREATE OR REPLACE MACRO lasting_text(word, task_folder, run_folder) AS
	without_temporary(without_home(without_ids(without_folder(without_folder(word, task_folder), run_folder))));

-- Whether a file is of the system, of an installed program or library, or of what an engine keeps for itself: no part of what a task does.
CREATE OR REPLACE MACRO is_of_program(path) AS NOT contains(path, '/.snakemake/scripts/')
	AND regexp_matches(path, '^/(usr|lib|lib32|lib64|bin|sbin|etc|proc|sys|dev|run|snap|nix|gnu)/'
	|| '|^/var/(lib|cache)/|/(site-packages|dist-packages|node_modules|envs)/|/(mini|ana)?conda[0-9]?/|/(mini|mamba)forge[0-9]?/'
	|| '|/\.(snakemake|nextflow|git|local|cache|config|pyenv)/|/\.(command\.(run|log|out|err|begin|trace|stub)|exitcode)[^/]*$'
	|| '|/lib/(python|R|perl)[^/]*/|\.so[0-9.]*$');
-- Whether it is a program of the pipeline's own: a part of what a task does, and no data.
CREATE OR REPLACE MACRO is_code(path) AS
	regexp_matches(path, '\.(py|pyc|R|r|Rmd|pl|pm|sh|bash|rb|js|jl|nf|smk|jar|awk|lua|ipynb)$|/(Snakefile|[Mm]akefile|GNUmakefile|\.command\.sh)$'
	|| '|/\.snakemake/scripts/|/__pycache__/');

-- Of tasks that succeeded. signature: of their programs with versions and arguments, the texts that shells were given, the names and sizes of the
-- files that they read and did not write (their own scripts, too), and the names of what they wrote. No row where that is not all they worked
-- with: of those that read no data, with files that are not known one by one, with data from the network, and of servers. files_hash: of the
-- same files on the same host.
CREATE OR REPLACE MACRO task_signatures_by_run(runs_) AS TABLE
WITH done AS MATERIALIZED (
	SELECT t.run_id, t.task_id, t.host_id, t.folder, r.cwd, t.started_at, t.ended_at
	FROM tasks AS t JOIN (SELECT run_id, cwd FROM runs WHERE is_one_of(runs_, run_id)) AS r USING (run_id)
	WHERE is_one_of(runs_, t.run_id) AND t.status = 'succeeded' AND t.started_at IS NOT NULL
), programs AS (
	SELECT DISTINCT run_id, task_id, tool_kind AS kind, tool_name(tool, exe) AS name, version,
		concat_ws(chr(30), tool_name(tool, exe), version, argv_missing_bytes,
			lasting_text(array_to_string(argv[2:], chr(31)), d.folder, d.cwd)) AS line
	FROM (
		FROM executions WHERE is_one_of(runs_, run_id) AND tool_kind <> 'launcher'
			AND (tool_kind <> 'shell' OR len(list_filter(argv, lambda a: regexp_full_match(a, '-[a-z]*c'))) > 0)
	) JOIN done AS d USING (run_id, task_id)
), worked AS ( -- what shells were given, and helpers where nothing else worked
	SELECT p.run_id, p.task_id, coalesce(string_agg(DISTINCT name, ', ' ORDER BY name) FILTER (kind <> 'shell'), 'a shell') AS tool,
		string_agg(DISTINCT nullif(version, ''), ', ' ORDER BY nullif(version, '')) FILTER (kind <> 'shell') AS version,
		sum(md5_number_lower(line))::VARCHAR AS hash
	FROM programs AS p JOIN (
		SELECT run_id, task_id, bool_and(kind IN ('helper', 'shell')) AS helps FROM programs GROUP BY ALL
	) AS h USING (run_id, task_id)
	WHERE h.helps OR kind <> 'helper'
	GROUP BY p.run_id, p.task_id
), used AS MATERIALIZED (
	SELECT run_id, task_id, any_value(host_id) AS host_id, any_value(file_id) AS file_id, kind, max(path) AS path,
		bool_or(writes) AS writes, bool_or(reads OR mapped) AS reads, max(size_bytes) AS size_bytes, sum(moved_bytes) AS moved_bytes
	FROM files WHERE is_one_of(runs_, run_id) AND task_id <> '' AND kind IN ('file', 'more')
	GROUP BY run_id, task_id, kind, hash(host_id, boot_id, file_id)
), named AS (
	SELECT u.*, lasting_text(path, d.folder, d.cwd) AS name, is_code(path) AS code
	FROM (FROM used WHERE kind = 'file' AND (reads OR writes) AND NOT is_of_program(path)) AS u JOIN done AS d USING (run_id, task_id)
	ANTI JOIN (SELECT DISTINCT run_id, task_id, exe AS path FROM executions WHERE is_one_of(runs_, run_id)) AS e
		ON e.run_id = u.run_id AND e.task_id = u.task_id AND e.path = u.path
), moved AS (
	SELECT run_id, task_id, count(*) FILTER (NOT writes AND NOT code) AS inputs,
		cut(coalesce(sum(size_bytes) FILTER (NOT writes AND NOT code), 0)) AS input_bytes, cut(coalesce(sum(size_bytes) FILTER (writes), 0)) AS output_bytes,
		sum(md5_number_lower(name || chr(30) || CASE WHEN writes THEN 'w' ELSE size_bytes::VARCHAR END))::VARCHAR AS hash,
		sum(md5_number_lower(host_id || chr(30) || file_id)) FILTER (NOT writes)::VARCHAR AS files_hash
	FROM named WHERE NOT (writes AND code) GROUP BY run_id, task_id
), unknown AS (
	SELECT run_id, task_id FROM used GROUP BY run_id, task_id
	HAVING coalesce(sum(moved_bytes) FILTER (kind = 'more'), 0) * 20 > sum(moved_bytes)
	UNION ALL
	SELECT run_id, task_id FROM executions WHERE is_one_of(runs_, run_id) GROUP BY run_id, task_id
	HAVING sum(net_rx_bytes) > 65536 OR sum(net_accepts) > 0
)
SELECT d.run_id, d.task_id AS id, d.started_at, d.ended_at, md5(w.hash || ' ' || m.hash) AS signature, w.tool, coalesce(w.version, '') AS version,
	m.inputs, m.input_bytes, m.output_bytes, m.files_hash
FROM done AS d JOIN worked AS w USING (run_id, task_id) JOIN moved AS m USING (run_id, task_id)
ANTI JOIN unknown AS u USING (run_id, task_id)
WHERE m.inputs > 0;
CREATE TABLE IF NOT EXISTS settled_signatures AS
SELECT 0::BIGINT AS number, * EXCLUDE (run_id) FROM task_signatures_by_run(['']) LIMIT 0;
