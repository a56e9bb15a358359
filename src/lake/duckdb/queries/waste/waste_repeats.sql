-- SPDX-License-Identifier: Apache-2.0
-- Steps that settled runs between $since_at and $now_at did again: tasks with the signature (task_signatures) of one that had succeeded in
-- another run before they began, by pipeline and step, those with the longest wall time first, at most $limit. A row for each host on which
-- that was done, with what these tasks held of it: cpu_s, byte_s, gpu_s (the larger of reserved and used, times seconds). inputs,
-- input_bytes: of what was done, each once. same_files: they read the very same files; same_outputs: they wrote as much; rewritten: tracked work
-- wrote one of the files that the last of them read in between, to the same size.
WITH done AS MATERIALIZED (
	SELECT g.number, g.id, g.signature, g.started_at, g.ended_at, r.run_id
	FROM settled_signatures AS g JOIN settled AS s USING (number) JOIN (SELECT run_id, engine FROM runs) AS r USING (run_id)
	WHERE g.ended_at > first_of($since_at) AND g.ended_at <= last_of($now_at) AND r.engine NOT IN ('session', 'tool')
), firsts AS (
	SELECT signature, arg_min(number, ended_at) AS number, arg_min(id, ended_at) AS id, min(ended_at) AS ended_at
	FROM done GROUP BY signature HAVING min(number) < max(number)
), again AS MATERIALIZED (
	SELECT d.number, d.id, d.run_id, d.signature, d.started_at, d.ended_at, f.number AS first_number, f.id AS first_id,
		f.ended_at AS first_ended_at
	FROM done AS d JOIN firsts AS f USING (signature) WHERE d.number <> f.number AND d.started_at >= f.ended_at
), known AS MATERIALIZED (
	SELECT a.*, t.step, t.wall_s, g.tool, g.version, g.inputs, g.input_bytes, g.files_hash = o.files_hash AS same_files,
		g.output_bytes = o.output_bytes AS same_outputs, r.name AS run_name, r.pipeline, r.engine, r.user AS "user", r.labels, r.command, r.cwd
	FROM again AS a JOIN settled_signatures AS g USING (number, id)
	JOIN settled_signatures AS o ON o.number = a.first_number AND o.id = a.first_id
	JOIN (SELECT number, id, step, wall_s FROM settled_tasks) AS t ON t.number = a.number AND t.id = a.id
	JOIN (SELECT number, name, pipeline, engine, "user", labels, command, cwd FROM settled_runs) AS r ON r.number = a.number
), steps AS MATERIALIZED (
	SELECT pipeline, step, count(*) AS tasks, sum(wall_s) AS wall_s, min(started_at) AS since_at, max(ended_at) AS until_at,
		bool_and(same_files) AS same_files, bool_and(same_outputs) AS same_outputs, max(tool) AS tool, max(version) AS version,
		array_to_string(list_sort(list(DISTINCT "user")), ', ') AS users, arg_min(first_number, first_ended_at) AS first_number,
		min(first_ended_at) AS first_ended_at,
		arg_max({ run_id: run_id, run_name: run_name, task_id: id, engine: engine, labels: labels, command: command, folder: cwd }, ended_at) AS again
	FROM known GROUP BY pipeline, step ORDER BY wall_s DESC, pipeline, step LIMIT $limit
), inputs AS (
	SELECT pipeline, step, sum(inputs) AS inputs, sum(input_bytes) AS input_bytes
	FROM (SELECT DISTINCT pipeline, step, signature, inputs, input_bytes FROM known) GROUP BY ALL
), held AS (
	SELECT k.pipeline, k.step, h.host_id,
		sum(greatest(h.cpus_requested * lasted_s, h.cpu_ns / 1e9)) AS cpu_s,
		sum(greatest(h.memory_requested_bytes, h.memory_bytes)::DOUBLE * lasted_s) AS byte_s, sum(h.gpus * lasted_s) AS gpu_s
	FROM known AS k JOIN (
		SELECT number, task_id, host_id, cpus_requested, cpu_ns, memory_requested_bytes, memory_bytes, gpus,
			seconds(since_at, until_at) AS lasted_s
		FROM settled_holds
	) AS h ON h.number = k.number AND h.task_id = k.id
	GROUP BY ALL
), last AS MATERIALIZED ( -- what is read of one task of a step is looked at: files are many
	SELECT pipeline, step, unnest(arg_max({ run_id: run_id, id: id, first_ended_at: first_ended_at, started_at: started_at }, ended_at))
	FROM known WHERE same_files GROUP BY pipeline, step
), changed AS (
	SELECT DISTINCT k.pipeline, k.step
	FROM (
		SELECT run_id, task_id, host_id, file_id FROM files
		WHERE kind = 'file' AND (reads OR mapped) AND NOT writes AND run_id IN (SELECT run_id FROM last)
	) AS f JOIN last AS k ON k.run_id = f.run_id AND k.id = f.task_id
	JOIN (SELECT host_id, file_id, last_at FROM files WHERE kind = 'file' AND writes AND last_at > first_of($since_at)) AS w
		ON w.host_id = f.host_id AND w.file_id = f.file_id AND w.last_at > k.first_ended_at AND w.last_at <= k.started_at
)
SELECT md5(s.pipeline || chr(30) || s.step) AS id, s.pipeline, s.step, s.tool, s.version, o.id AS first_run_id, o.name AS first_run,
	o."user" AS first_user, s.first_ended_at, again.run_id, again.run_name, again.task_id, s.users, s.tasks, i.inputs, i.input_bytes,
	s.same_files, s.same_outputs, c.step IS NOT NULL AS rewritten, s.since_at, s.until_at, s.wall_s, again.engine, again.labels, again.command,
	again.folder, h.host_id, h.cpu_s, h.byte_s, h.gpu_s
FROM steps AS s JOIN inputs AS i USING (pipeline, step)
JOIN (SELECT number, id, name, "user" FROM settled_runs) AS o ON o.number = s.first_number
LEFT JOIN changed AS c USING (pipeline, step)
LEFT JOIN held AS h USING (pipeline, step)
ORDER BY s.wall_s DESC, s.pipeline, s.step, h.host_id;
