-- SPDX-License-Identifier: Apache-2.0
-- What the history of a step holds of an attempt of a task besides its figures (src/tune/history/step_task.h).

-- The regular files that tasks of runs read and did not write, and those that they wrote: their sizes, each file once. read_bytes: how much
-- of the first was read so far, of none more than its size; of a mapped file it is not known, and counts as read. NULL: more than a twentieth
-- of what a task moved was in files that are not known one by one.
CREATE OR REPLACE MACRO task_files_by_run(runs_) AS TABLE
WITH used AS (
	SELECT run_id, task_id, kind, bool_or(writes) AS writes, max(size_bytes) AS size_bytes, sum(moved_bytes) AS moved_bytes,
		bool_or(mapped) AS mapped
	FROM files WHERE is_one_of(runs_, run_id) AND task_id <> '' AND kind IN ('file', 'more') AND (reads OR writes OR kind = 'more')
	GROUP BY run_id, task_id, kind, host_id, boot_id, file_id
), summed AS (
	SELECT run_id, task_id, coalesce(sum(moved_bytes) FILTER (kind = 'more'), 0) * 20 <= sum(moved_bytes) AS known,
		coalesce(sum(size_bytes) FILTER (kind = 'file' AND NOT writes), 0) AS input_bytes,
		coalesce(sum(CASE WHEN mapped THEN size_bytes ELSE least(moved_bytes, size_bytes) END) FILTER (kind = 'file' AND NOT writes), 0)
			AS read_bytes,
		coalesce(sum(size_bytes) FILTER (kind = 'file' AND writes), 0) AS output_bytes
	FROM used GROUP BY run_id, task_id
)
SELECT run_id, task_id, CASE WHEN known THEN cut(input_bytes) END AS input_bytes, CASE WHEN known THEN cut(read_bytes) END AS read_bytes,
	CASE WHEN known THEN cut(output_bytes) END AS output_bytes
FROM summed;

-- The memory of tasks that have a control group of their own, as the kernel charged it: the peak, with page cache that it could have
-- reclaimed, and the most that it could not reclaim at any reading (0: not read). It is one that a runtime made for a container or a job,
-- without other tasks and without processes of no task (the engine): a session or a service of systemd holds anything else, too.
CREATE OR REPLACE MACRO task_groups_by_run(runs_) AS TABLE
WITH groups AS (
	SELECT host_id, boot_id, cgroup_id, any_value(run_id) AS run_id, any_value(task_id) AS task_id
	FROM tasks SEMI JOIN (
		SELECT t.host_id, t.boot_id, t.cgroup_id FROM tasks AS t JOIN containers AS c USING (host_id, boot_id, cgroup_id)
		WHERE t.cgroup_id <> 0 AND is_one_of(runs_, t.run_id) AND c.runtime NOT IN ('', 'systemd')
	) AS own USING (host_id, boot_id, cgroup_id)
	GROUP BY host_id, boot_id, cgroup_id HAVING count(*) = 1
), shared AS (
	SELECT DISTINCT g.run_id, g.task_id FROM executions AS e JOIN groups AS g USING (host_id, boot_id, cgroup_id)
	WHERE is_one_of(runs_, e.run_id) AND e.cgroup_id <> 0 AND e.task_id <> g.task_id
)
SELECT run_id, task_id, max(memory_peak_bytes) AS peak_bytes, max(memory_unreclaimable_bytes) AS held_bytes
FROM groups ANTI JOIN shared USING (run_id, task_id) JOIN container_samples USING (host_id, boot_id, cgroup_id)
GROUP BY run_id, task_id HAVING max(memory_peak_bytes) > 0;

-- The options and numbers of a command line, without paths and names: what tasks of a step have in common.
CREATE OR REPLACE MACRO options_of(argv) AS list_filter(argv[2:],
	lambda a: (starts_with(a, '-') AND NOT contains(a, '/') AND len(a) <= 64) OR regexp_full_match(a, '[0-9.]{1,12}[KMGkmg]?'));

-- With which tools, of which versions, and with which options tasks worked.
CREATE OR REPLACE MACRO task_tools_by_run(runs_) AS TABLE
WITH used AS (
	SELECT DISTINCT run_id, task_id, tool_name(tool, exe) AS name, version, array_to_string(options_of(argv), ' ') AS options
	FROM executions
	WHERE is_one_of(runs_, run_id) AND task_id <> '' AND tool_kind NOT IN ('shell', 'launcher', 'helper')
)
SELECT run_id, task_id,
	left(string_agg(DISTINCT name || CASE WHEN version <> '' THEN ' ' || version ELSE '' END, ', '
		ORDER BY name || CASE WHEN version <> '' THEN ' ' || version ELSE '' END), 400) AS versions,
	left(string_agg(DISTINCT name || ' ' || options, '; ' ORDER BY name || ' ' || options), 1000) AS arguments
FROM used GROUP BY run_id, task_id;

CREATE OR REPLACE MACRO host_type_of(instance_type, cpus, memory_bytes) AS CASE
	WHEN instance_type <> '' THEN instance_type
	WHEN cpus > 0 THEN cpus || CASE WHEN cpus = 1 THEN ' CPU, ' ELSE ' CPUs, ' END || round(memory_bytes / 1073741824)::BIGINT || ' GiB'
	ELSE '' END;

-- memory_charged_bytes: what a memory limit would be charged with at most at once (docs/sizes.md, Peak memory).
CREATE OR REPLACE MACRO task_facts_by_run(runs_) AS TABLE
SELECT t.run_id, t.task_id AS id, f.input_bytes, f.read_bytes, f.output_bytes,
	CASE WHEN g.peak_bytes > 0 THEN least(g.peak_bytes, greatest(m.memory_peak_bytes, g.held_bytes)) ELSE m.memory_peak_bytes END
		AS memory_charged_bytes,
	coalesce(o.out_of_memory, false) AS out_of_memory,
	nullif(h.cpus, 0) AS host_cpus, nullif(h.memory_bytes, 0) AS host_memory_bytes,
	host_type_of(h.instance_type, h.cpus, h.memory_bytes) AS host_type, x.versions, x.arguments
FROM (SELECT run_id, task_id, host_id FROM tasks WHERE is_one_of(runs_, run_id) AND started_at IS NOT NULL) AS t
LEFT JOIN task_files_by_run(runs_) AS f ON f.run_id = t.run_id AND f.task_id = t.task_id
LEFT JOIN task_groups_by_run(runs_) AS g ON g.run_id = t.run_id AND g.task_id = t.task_id
LEFT JOIN task_tools_by_run(runs_) AS x ON x.run_id = t.run_id AND x.task_id = t.task_id
LEFT JOIN memory_peaks(runs_) AS m ON m.task_id = t.task_id
LEFT JOIN (
	SELECT run_id, task_id, true AS out_of_memory FROM events
	WHERE is_one_of(runs_, run_id) AND kind = 'oom_kill' AND task_id <> '' GROUP BY ALL
) AS o ON o.run_id = t.run_id AND o.task_id = t.task_id
LEFT JOIN hosts AS h ON h.host_id = t.host_id;
CREATE OR REPLACE MACRO task_facts_of(run) AS TABLE SELECT * EXCLUDE (run_id) FROM task_facts_by_run([run]);
