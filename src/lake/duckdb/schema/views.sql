-- SPDX-License-Identifier: Apache-2.0
-- What the queries share. Replaced at each start.

-- The instant of the statement, in UTC.
CREATE OR REPLACE MACRO now_at() AS make_timestamp(epoch_us(now()));

-- true when a record of one batch stands above that of another: within an agent's boot the sequence decides, else when
-- the batch was closed.
CREATE OR REPLACE MACRO supersedes(agent_id, boot_id, sequence, created_at,
		held_agent_id, held_boot_id, held_sequence, held_created_at) AS
	CASE WHEN agent_id = held_agent_id AND boot_id = held_boot_id THEN sequence >= held_sequence
	ELSE coalesce(created_at >= held_created_at, true) END;

-- Seconds from one instant to another, or NULL.
CREATE OR REPLACE MACRO seconds(started_at, ended_at) AS
	CASE WHEN ended_at < started_at THEN 0 ELSE (epoch_us(ended_at) - epoch_us(started_at)) / 1e6 END;

CREATE OR REPLACE MACRO is_failed(status) AS status IN ('failed', 'killed');

-- A sum as a BIGINT: beyond 2^60 it is cut, as the ingest cuts figures, so that nothing overflows. Of nothing it is NULL: least()
-- leaves NULL out, and would make 2^60 of it.
CREATE OR REPLACE MACRO cut(figure) AS (CASE WHEN figure > 1152921504606846976 THEN 1152921504606846976 ELSE figure END)::BIGINT;

-- The sums of lists of requests by how long they took.
CREATE OR REPLACE MACRO add_latencies(b) AS [
	cut(coalesce(sum(b[1]), 0)), cut(coalesce(sum(b[2]), 0)), cut(coalesce(sum(b[3]), 0)), cut(coalesce(sum(b[4]), 0)),
	cut(coalesce(sum(b[5]), 0)), cut(coalesce(sum(b[6]), 0)), cut(coalesce(sum(b[7]), 0)), cut(coalesce(sum(b[8]), 0)),
	cut(coalesce(sum(b[9]), 0)), cut(coalesce(sum(b[10]), 0)), cut(coalesce(sum(b[11]), 0)), cut(coalesce(sum(b[12]), 0)),
	cut(coalesce(sum(b[13]), 0)), cut(coalesce(sum(b[14]), 0)), cut(coalesce(sum(b[15]), 0)), cut(coalesce(sum(b[16]), 0)),
	cut(coalesce(sum(b[17]), 0)), cut(coalesce(sum(b[18]), 0)), cut(coalesce(sum(b[19]), 0)), cut(coalesce(sum(b[20]), 0)),
	cut(coalesce(sum(b[21]), 0)), cut(coalesce(sum(b[22]), 0)), cut(coalesce(sum(b[23]), 0)), cut(coalesce(sum(b[24]), 0))];

-- What a person calls the program when no rule named it.
CREATE OR REPLACE MACRO tool_name(tool, exe) AS
	coalesce(nullif(tool, ''), nullif(parse_filename(exe), ''), '?');

-- The figures that add up, in the order of the message Figures: of executions they are sums, of samples growth.
CREATE OR REPLACE MACRO is_sum(name) AS name IN (
	'user_ns', 'kernel_ns', 'runnable_ns', 'disk_ns', 'paging_ns', 'network_ns', 'pipe_read_ns', 'pipe_write_ns',
	'lock_ns', 'child_ns', 'sleep_ns', 'poll_ns', 'other_ns', 'threads_ns', 'disk_shared_ns', 'disk_fuse_ns',
	'minor_faults', 'major_faults', 'ctx_voluntary', 'ctx_involuntary', 'read_chars_bytes', 'write_chars_bytes',
	'disk_read_bytes', 'disk_write_bytes',
	'net_rx_bytes', 'net_tx_bytes', 'net_loopback_rx_bytes', 'net_loopback_tx_bytes', 'net_unix_rx_bytes',
	'net_unix_tx_bytes', 'net_connects', 'net_accepts', 'net_connect_failures', 'net_resets', 'net_retransmits',
	'net_connect_ns', 'files_opened', 'files_failed', 'gpu_busy_ns', 'poll_network_ns', 'poll_pipe_ns', 'poll_timer_ns');
-- Those that say what is now, and those of which the largest counts.
CREATE OR REPLACE MACRO is_level(name) AS name IN (
	'rss_bytes', 'rss_anon_bytes', 'rss_file_bytes', 'rss_shmem_bytes', 'swap_bytes', 'gpu_memory_bytes');
CREATE OR REPLACE MACRO is_kind(name) AS name IN ('rss_anon_bytes', 'rss_file_bytes', 'rss_shmem_bytes', 'swap_bytes');
CREATE OR REPLACE MACRO is_peak(name) AS name IN ('rss_peak_bytes', 'threads_peak', 'gpu_memory_peak_bytes');
CREATE OR REPLACE MACRO is_figure(name) AS is_sum(name) OR is_level(name) OR is_peak(name);

-- Executions as of now. The record of one that runs (or was lost) says what was known when it was written; its samples
-- know more. The record of one that an agent found running holds of what that agent counts by itself (sockets, waits) only what
-- came since; the samples of the agent before it know the rest. Never less than either, so that nothing is counted twice and
-- nothing shrinks from one reading to the next. An execution that was lost was last alive at its last sample.
CREATE OR REPLACE VIEW execution_now AS
WITH open AS (
	SELECT * FROM executions WHERE status IN ('running', 'lost') OR found
), said AS (
	SELECT host_id, pid, start_ns, image_seq, run_id, NULL::TIMESTAMP AS until_at, COLUMNS(lambda f: is_figure(f))
	FROM open
	UNION ALL BY NAME
	SELECT host_id, pid, start_ns, image_seq, o.run_id, max(s.until_at) AS until_at,
		cut(sum(COLUMNS(lambda f: is_sum(f)))),
		arg_max(COLUMNS(lambda f: is_level(f)), s.until_at),
		max(COLUMNS(lambda f: is_peak(f)))
	FROM samples AS s
	JOIN (SELECT host_id, pid, start_ns, image_seq, run_id FROM open) AS o USING (host_id, pid, start_ns, image_seq)
	GROUP BY ALL
), now AS (
	SELECT host_id, pid, start_ns, image_seq, run_id, max(until_at) AS until_at,
		max(COLUMNS(lambda f: is_sum(f))),
		arg_max(COLUMNS(lambda f: is_level(f)), coalesce(until_at, make_timestamp(0))),
		max(COLUMNS(lambda f: is_peak(f)))
	FROM said GROUP BY ALL
)
SELECT * FROM executions WHERE status NOT IN ('running', 'lost') AND NOT found
UNION ALL BY NAME
SELECT o.* REPLACE (CASE o.status WHEN 'lost' THEN greatest(o.ended_at, n.until_at) WHEN 'running' THEN NULL ELSE o.ended_at END
		AS ended_at),
	COLUMNS(lambda f: is_figure(f) AND NOT is_level(f)),
	CASE WHEN o.status <> 'running' THEN 0 ELSE COLUMNS(lambda f: is_level(f)) END
FROM (SELECT COLUMNS(lambda f: NOT is_figure(f)) FROM open) AS o
JOIN now AS n USING (host_id, pid, start_ns, image_seq, run_id);

-- CPU time and lives of executions as of now, by the same rules: for whoever needs no more, at a fraction of the price.
CREATE OR REPLACE VIEW execution_work AS
SELECT host_id, pid, start_ns, image_seq, run_id, task_id, tool, exe, started_at, ended_at, user_ns + kernel_ns AS cpu_ns
FROM executions WHERE status NOT IN ('running', 'lost') AND NOT found
UNION ALL
SELECT host_id, pid, start_ns, image_seq, e.run_id, e.task_id, tool, exe, started_at,
	CASE status WHEN 'lost' THEN greatest(ended_at, max(s.until_at)) WHEN 'running' THEN NULL ELSE ended_at END,
	greatest(any_value(e.user_ns), cut(sum(s.user_ns))) + greatest(any_value(e.kernel_ns), cut(sum(s.kernel_ns)))
FROM (SELECT * FROM executions WHERE status IN ('running', 'lost') OR found) AS e
LEFT JOIN samples AS s USING (host_id, pid, start_ns, image_seq)
GROUP BY host_id, pid, start_ns, image_seq, e.run_id, e.task_id, tool, exe, started_at, ended_at, status;

-- Seconds an execution lived, by the boot-time clock once it ended; so far, while it runs.
CREATE OR REPLACE MACRO execution_wall_s(status, wall_ns, started_at, ended_at) AS
	CASE WHEN status NOT IN ('running', 'lost') AND wall_ns > 0 THEN wall_ns / 1e9
	ELSE seconds(started_at, coalesce(ended_at, now_at())) END;

-- When a run or a task ended (NULL: it runs): one that was lost was last alive when its last execution was.
CREATE OR REPLACE MACRO last_alive_at(status, ended_at, executions_ended_at) AS
	CASE WHEN status = 'lost' THEN greatest(ended_at, executions_ended_at) ELSE ended_at END;

-- Seconds it took; so far, while it runs.
CREATE OR REPLACE MACRO whole_wall_s(status, started_at, ended_at, executions_ended_at) AS
	seconds(started_at, CASE WHEN status = 'running' THEN now_at()
		ELSE last_alive_at(status, ended_at, executions_ended_at) END);

-- How much of the threads' lives the times explain: 1 is all; NULL where no life was counted.
CREATE OR REPLACE MACRO explained_of(f) AS (f.user_ns + f.kernel_ns
	+ f.runnable_ns + f.disk_ns + f.paging_ns + f.network_ns + f.pipe_read_ns + f.pipe_write_ns + f.lock_ns
	+ f.child_ns + f.sleep_ns + f.poll_ns + f.other_ns);
CREATE OR REPLACE MACRO coverage_of(f) AS CASE WHEN f.threads_ns > 0 THEN explained_of(f) / f.threads_ns END;

-- Nanoseconds at work (docs/signal.md, As a bar): all but waits for children, and but sleep unless it is more than the rest; what no
-- state explains is in it where that is more than 2 %. NULL where no life was counted.
-- (Each figure is named once: a row's field is taken out of the whole row each time that it is.)
CREATE OR REPLACE MACRO awake_of(w) AS w.explained - w.child - w.sleep
	+ CASE WHEN w.explained < 0.98 * w.threads THEN w.threads - w.explained ELSE 0 END;
CREATE OR REPLACE MACRO work_of(f) AS list_transform(
	[{ explained: explained_of(f), child: f.child_ns, sleep: f.sleep_ns, threads: f.threads_ns }],
	lambda w: CASE WHEN w.threads > 0 THEN
		cut(awake_of(w) + CASE WHEN w.sleep > awake_of(w) THEN w.sleep ELSE 0 END) END)[1];

-- The figures of runs, summed by any column of their executions: sums over processes are totals by construction.
-- (The bounds say to the store which parts of the table it need not read.)
CREATE OR REPLACE MACRO figures_by(runs, column_) AS TABLE
SELECT column_ AS key,
	count(*) AS executions,
	count(*) FILTER (is_failed(status)) AS executions_failed,
	count(*) FILTER (status = 'lost') AS executions_lost,
	coalesce(sum(execution_wall_s(status, wall_ns, started_at, ended_at)), 0) AS executions_wall_s,
	max(ended_at) AS executions_ended_at,
	sum(COLUMNS(lambda f: is_sum(f))),
	sum(COLUMNS(lambda f: is_level(f))),
	max(COLUMNS(lambda f: is_peak(f)))
FROM execution_now
WHERE run_id >= list_min(runs) AND run_id <= list_max(runs) AND list_contains(runs, run_id)
GROUP BY ALL;

-- What an engine tells of a task only goes this way.
CREATE OR REPLACE MACRO told_rank(status) AS
	coalesce(list_position(['queued', 'running', 'ended', 'cached'], status), 0);

-- The command of a job of Snakemake's in the `SHELL -c TEXT` that runs it, without what Snakemake writes before it.
CREATE OR REPLACE MACRO job_text(text) AS trim(
	CASE WHEN contains(text, 'set -euo pipefail;') THEN substr(text, strpos(text, 'set -euo pipefail;') + 18) ELSE text END,
	' ' || chr(9) || chr(10) || chr(13));
CREATE OR REPLACE MACRO job_command(argv) AS CASE WHEN argv[-2] = '-c' THEN job_text(argv[-1]) END;

-- How runs did that none of their parts leads alone (a trace, a workflow's pods, the jobs of an array, a container): one that runs
-- is on, one that failed has failed all, unless what failed in it was done by a later try. What is a job of an engine elsewhere is
-- left out: the engine's own end counts.
CREATE OR REPLACE VIEW wholes AS
WITH led AS (
	SELECT p.run_id, p.part_id
	FROM parts AS p JOIN links AS l ON l.run_id = p.part_id AND l.kind = p.reason AND l.value = p.value AND l.lead
), mended AS (
	SELECT run_id, count(*) AS tries
	FROM tasks AS t SEMI JOIN tasks AS later
		ON later.run_id = t.run_id AND later.step = t.step AND later.sample = t.sample AND later.attempt > t.attempt
	WHERE is_failed(t.status) AND t.run_id IN (SELECT run_id FROM parts WHERE reason = 'workflow')
	GROUP BY run_id
)
SELECT p.run_id, CASE WHEN bool_or(r.status = 'running') THEN 'running'
	WHEN count(*) FILTER (is_failed(r.status)) > coalesce(any_value(m.tries), 0)
		THEN CASE WHEN bool_or(r.status = 'failed') THEN 'failed' ELSE 'killed' END
	WHEN bool_or(r.status = 'lost') THEN 'lost' ELSE 'succeeded' END AS status,
	CASE WHEN NOT bool_or(r.status = 'running') THEN max(r.ended_at) END AS ended_at
FROM (FROM led UNION SELECT run_id, run_id FROM led) AS p JOIN runs AS r ON r.run_id = p.part_id
LEFT JOIN mended AS m ON m.run_id = p.run_id
GROUP BY p.run_id;

-- The name that a command line gives a run, as `nextflow run -name NAME` does; else NULL.
CREATE OR REPLACE MACRO name_option(engine, command) AS CASE WHEN engine = 'nextflow' THEN
	nullif(regexp_extract(command, '\s-name\s+(\S+)', 1), '') END;

-- Runs with the names that their engine told: that of a run where it has but the one that the agent made up. All else is
-- what was seen.
CREATE OR REPLACE VIEW runs_named AS
SELECT r.* REPLACE (
		coalesce(a.status, r.status) AS status,
		CASE WHEN a.status IS NULL THEN r.ended_at ELSE a.ended_at END AS ended_at,
		CASE WHEN w.name <> '' AND ends_with(r.name, '-' || left(r.run_id, 6)) THEN w.name ELSE r.name END AS name,
		coalesce(nullif(w.pipeline, ''), r.pipeline) AS pipeline),
	w.said_by AS told_by, nullif(w.engine_run_id, '') AS engine_run_id,
	coalesce(nullif(w.name, ''), name_option(r.engine, r.command)) AS engine_run_name
FROM runs AS r LEFT JOIN (
	SELECT DISTINCT ON (run_id) run_id, told_runs.* EXCLUDE (host_id, boot_id, agent_id, sequence, created_at)
	FROM run_links JOIN told_runs USING (told_id) ORDER BY run_id, told_id
) AS w USING (run_id) LEFT JOIN wholes AS a ON a.run_id = r.run_id;

-- What tells a folder that an engine made for a task alone from those of others of its run, however each host mounts it.
CREATE OR REPLACE MACRO own_folder(folder) AS regexp_extract(folder, '[^/]+/[^/]+$');

-- Tasks that one host told of as queued, and that began on another of the run: by their folder, else (when is not known then)
-- the oldest of the step. As many of each as began.
CREATE OR REPLACE VIEW begun_elsewhere AS
WITH waiting AS (
	SELECT run_id, host_id, task_id, step, own_folder(folder) AS folder, queued_at,
		row_number() OVER (PARTITION BY run_id, step, folder = '' ORDER BY queued_at, task_id) AS place
	FROM tasks WHERE status = 'queued'
), begun AS (
	SELECT t.run_id, t.host_id, t.task_id, t.step, own_folder(t.folder) AS folder,
		row_number() OVER (PARTITION BY t.run_id, t.step, t.folder = '' ORDER BY t.started_at, t.task_id) AS place
	FROM tasks AS t SEMI JOIN waiting AS w ON w.run_id = t.run_id AND w.host_id <> t.host_id
	WHERE t.status <> 'queued'
)
SELECT w.task_id AS queued_id, b.task_id, CASE WHEN w.folder <> '' THEN w.queued_at END AS queued_at
FROM waiting AS w JOIN begun AS b ON b.run_id = w.run_id AND b.host_id <> w.host_id AND b.folder = w.folder
	AND (w.folder <> '' OR (b.step = w.step AND b.place = w.place));

-- Which try each task of a run of several agents is, of those that are told apart by a name of their engine's: each agent counts
-- what it saw alone.
CREATE OR REPLACE VIEW tries_elsewhere AS
SELECT task_id, 1 + count(*) FILTER (is_failed(status)) OVER (
	PARTITION BY run_id, name ORDER BY started_at, task_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS attempt
FROM tasks
WHERE folder <> '' AND name <> '' AND status <> 'queued' AND run_id IN (SELECT run_id FROM parts);

-- What a task asked for: what its script or `tracer run` did stands above what its engine told, that above a cgroup's limit.
CREATE OR REPLACE MACRO asked_for(own, own_by, told) AS
	coalesce(CASE WHEN own_by <> 'cgroup' THEN nullif(own, 0) END, nullif(told, 0), own);
CREATE OR REPLACE MACRO asked_by(own_by, engine, told) AS
	CASE WHEN own_by IN ('', 'cgroup') AND told > 0 THEN engine ELSE own_by END;

-- Tasks with the names that their engine told; and those that it told of and that have no process: cached ones, and while
-- the run lasts queued ones. (Of what was seen to be queued likewise.)
CREATE OR REPLACE VIEW tasks_named AS
SELECT t.* REPLACE (
		coalesce(nullif(w.step, ''), t.step) AS step,
		coalesce(nullif(w.name, ''), t.name) AS name,
		coalesce(nullif(w.sample, ''), t.sample) AS sample,
		coalesce(nullif(w.attempt, 0), greatest(t.attempt, y.attempt)) AS attempt,
		coalesce(CASE WHEN w.submitted_at <= t.started_at THEN w.submitted_at END, t.queued_at, b.queued_at) AS queued_at,
		asked_for(t.cpus_requested, t.requested_by, w.cpus_requested) AS cpus_requested,
		asked_for(t.memory_requested_bytes, t.requested_by, w.memory_requested_bytes) AS memory_requested_bytes,
		asked_by(t.requested_by, r.engine, w.cpus_requested + w.memory_requested_bytes) AS requested_by),
	w.said_by AS told_by
FROM tasks AS t LEFT JOIN (SELECT run_id, engine, status AS run_status FROM runs) AS r ON r.run_id = t.run_id
LEFT JOIN tries_elsewhere AS y ON y.task_id = t.task_id
LEFT JOIN (SELECT task_id, min(queued_at) AS queued_at FROM begun_elsewhere GROUP BY task_id) AS b ON b.task_id = t.task_id
LEFT JOIN (
	SELECT task_id, told_tasks.* EXCLUDE (host_id, boot_id, agent_id, sequence, created_at)
	FROM task_links JOIN told_tasks USING (told_id, task)
) AS w ON w.task_id = t.task_id
WHERE t.status <> 'queued' OR (r.run_status = 'running' AND t.task_id NOT IN (SELECT queued_id FROM begun_elsewhere))
UNION ALL BY NAME
SELECT 'told/' || w.told_id || '/' || w.task AS task_id, l.run_id, w.step, w.name, w.sample, w.status, w.attempt,
	CASE WHEN w.status = 'queued' THEN w.submitted_at END AS queued_at, w.said_by AS told_by
FROM told_tasks AS w JOIN run_links AS l USING (told_id) JOIN runs AS r USING (run_id)
WHERE (w.status = 'cached' OR (w.status = 'queued' AND r.status = 'running'))
	AND (w.told_id, w.task) NOT IN (SELECT (told_id, task) FROM task_links)
	AND (w.status = 'cached' OR (l.run_id, w.name) NOT IN (SELECT (run_id, name) FROM tasks WHERE status = 'queued'));

-- The most memory that each task of a run can have held: at each instant the peaks of its executions alive then,
-- added. An upper bound: peaks need not coincide, and what processes share counts for each. One running sum goes through
-- all tasks: behind the last end of each it is nought again.
CREATE OR REPLACE MACRO memory_peaks(run) AS TABLE
WITH numbered AS (
	SELECT task_id, row_number() OVER () AS number FROM tasks WHERE run_id = run
), alive AS (
	SELECT number, started_at, greatest(coalesce(ended_at, now_at()), started_at + INTERVAL 1 MICROSECOND) AS ended_at,
		rss_peak_bytes
	FROM execution_now JOIN numbered USING (task_id) WHERE run_id = run AND started_at IS NOT NULL
), summed AS (
	SELECT number, sum(delta) OVER (ORDER BY number, instant, delta ROWS UNBOUNDED PRECEDING) AS bytes
	FROM (
		SELECT number, started_at AS instant, rss_peak_bytes AS delta FROM alive
		UNION ALL SELECT number, ended_at, -rss_peak_bytes FROM alive
	)
)
SELECT task_id, cut(max(bytes)) AS memory_peak_bytes FROM summed JOIN numbered USING (number) GROUP BY task_id;

-- The tasks of a run with all that is known of them.
CREATE OR REPLACE MACRO tasks_of(run) AS TABLE
SELECT t.task_id AS id, t.step, t.name, t.sample, t.host_id, h.hostname AS host, nullif(c.container_id, '') AS container,
	coalesce(nullif(c.name, ''), n.container_names) AS container_name,
	coalesce(nullif(c.image, ''), n.container_images) AS container_image,
	t.status,
	CASE WHEN t.status NOT IN ('running', 'lost') AND t.signal = 0 THEN t.exit_code END AS exit_code,
	nullif(t.signal, 0) AS signal,
	t.started_at,
	last_alive_at(t.status, t.ended_at, f.executions_ended_at) AS ended_at,
	t.queued_at, seconds(t.queued_at, coalesce(t.started_at, now_at())) AS queued_s, q.queued_for, t.told_by,
	whole_wall_s(t.status, t.started_at, t.ended_at, f.executions_ended_at) AS wall_s,
	nullif(t.attempt, 0) AS attempt,
	nullif(t.cpus_requested, 0) AS cpus_requested,
	nullif(t.memory_requested_bytes, 0) AS memory_requested_bytes,
	nullif(t.requested_by, '') AS requested_by,
	m.memory_peak_bytes, coverage_of(f) AS coverage, work_of(f) AS work_ns,
	coalesce(COLUMNS(f.* EXCLUDE (key, executions_failed, executions_lost, executions_wall_s, executions_ended_at)), 0),
	coalesce(n.tools, '[]'::JSON) AS tools
FROM tasks_named AS t
LEFT JOIN hosts AS h USING (host_id)
LEFT JOIN containers AS c ON c.host_id = t.host_id AND c.boot_id = t.boot_id AND c.cgroup_id = t.cgroup_id
LEFT JOIN figures_by([run], task_id) AS f ON f.key = t.task_id
LEFT JOIN memory_peaks(run) AS m ON m.task_id = t.task_id
LEFT JOIN queue_waits(run) AS q ON q.task_id = t.task_id
LEFT JOIN (
	SELECT task_id, to_json(list_sort(list(DISTINCT tool_name(tool, exe)))) AS tools,
		string_agg(DISTINCT nullif(k.name, ''), ', ') AS container_names,
		string_agg(DISTINCT nullif(k.image, ''), ', ') AS container_images
	FROM executions AS e
	LEFT JOIN (SELECT host_id, boot_id, cgroup_id, name, image FROM containers) AS k USING (host_id, boot_id, cgroup_id)
	WHERE run_id = run GROUP BY task_id
) AS n ON n.task_id = t.task_id
WHERE t.run_id = run;

-- Runs that are no part of another.
CREATE OR REPLACE VIEW whole_runs AS FROM runs_named WHERE run_id NOT IN (SELECT part_id FROM parts);

-- The run that a run was started in, where that is known: where it is a part of another, that one.
CREATE OR REPLACE VIEW parent_runs AS
SELECT child.run_id, any_value(coalesce(p.run_id, outer_run.run_id)) AS parent_run
FROM runs AS child JOIN runs AS outer_run ON outer_run.run_id = child.parent_run_id
LEFT JOIN parts AS p ON p.part_id = child.parent_run_id
WHERE child.parent_run_id <> '' AND coalesce(p.run_id, outer_run.run_id) <> child.run_id
GROUP BY child.run_id;

-- Runs with their sums.
CREATE OR REPLACE MACRO runs_of(runs_) AS TABLE
SELECT r.run_id AS id, r.name, r.pipeline, r.engine, r.status, r."user", r.started_at,
	last_alive_at(r.status, r.ended_at, f.executions_ended_at) AS ended_at,
	whole_wall_s(r.status, r.started_at, r.ended_at, f.executions_ended_at) AS wall_s,
	coalesce(w.hosts, to_json([coalesce(h.hostname, r.host_id)])) AS hosts,
	r.labels,
	coalesce(t.tasks, 0) AS tasks, coalesce(t.failed, 0) AS tasks_failed, coalesce(t.lost, 0) AS tasks_lost,
	coalesce(t.running, 0) AS tasks_running,
	coalesce(COLUMNS(f.* EXCLUDE (key, executions_failed, executions_lost, executions_wall_s, executions_ended_at)), 0),
	r.told_by, r.engine_run_id, r.engine_run_name, p.parent_run, r.command, r.cwd
FROM runs_named AS r
LEFT JOIN hosts AS h USING (host_id)
LEFT JOIN parent_runs AS p ON p.run_id = r.run_id
LEFT JOIN figures_by(runs_, run_id) AS f ON f.key = r.run_id
LEFT JOIN (
	SELECT run_id, count(*) AS tasks, count(*) FILTER (is_failed(status)) AS failed, count(*) FILTER (status = 'lost') AS lost,
		count(*) FILTER (status = 'running') AS running
	FROM tasks_named WHERE run_id IN (SELECT unnest(runs_)) GROUP BY run_id
) AS t ON t.run_id = r.run_id
LEFT JOIN (
	SELECT run_id, to_json(list_sort(list(DISTINCT coalesce(hostname, host_id)))) AS hosts
	FROM executions LEFT JOIN hosts USING (host_id)
	WHERE run_id IN (SELECT unnest(runs_)) GROUP BY run_id
) AS w ON w.run_id = r.run_id
WHERE r.run_id IN (SELECT unnest(runs_));

-- From when to when a run was: one that runs until now, one that was lost until something of it was last seen.
CREATE OR REPLACE MACRO span_of(run) AS TABLE
SELECT started_at, CASE status WHEN 'lost' THEN greatest(ended_at,
		(SELECT max(until_at) FROM samples WHERE run_id = run), (SELECT max(ended_at) FROM executions WHERE run_id = run))
	ELSE coalesce(ended_at, now_at()) END AS ended_at
FROM runs_named WHERE run_id = run;

-- What was lost on a run's hosts while it ran.
CREATE OR REPLACE MACRO losses_of(run) AS TABLE
SELECT l.* FROM losses AS l
WHERE l.host_id IN (
		SELECT host_id FROM executions WHERE run_id = run UNION SELECT host_id FROM runs WHERE run_id = run)
	AND l.until_at >= (SELECT started_at FROM runs WHERE run_id = run)
	AND l.since_at <= (SELECT coalesce(CASE WHEN status <> 'lost' THEN ended_at END, now_at()) FROM runs_named WHERE run_id = run);

-- GPUs of hosts over time: their samples that touch a stretch of time, by the bucket of so many seconds (`at` is its start)
-- in which each ended. Growth is summed over the bucket, levels are its means, peaks its largest, sample_s is how much of
-- it was seen. What the driver did not tell in the bucket is NULL.
CREATE OR REPLACE MACRO gpus_over(hosts_, since_, until_, interval_s) AS TABLE
SELECT host_id, uuid, min(since_at) AS "at",
	sum(seconds(since_at, until_at)) AS sample_s,
	CASE WHEN sum(busy_known_ns) > 0 THEN sum(busy_ns) END AS busy_ns,
	sum(busy_known_ns) AS busy_known_ns,
	CASE WHEN sum(busy_known_ns) > 0 THEN sum(memory_busy_ns) END AS memory_busy_ns,
	nullif(avg(memory_used_bytes)::BIGINT, 0) AS memory_used_bytes,
	avg(nullif(power_mean_mw, 0))::BIGINT AS power_mean_mw,
	nullif(max(temperature_peak_celsius), 0) AS temperature_peak_celsius,
	avg(nullif(clock_mean_mhz, 0))::BIGINT AS clock_mean_mhz,
	avg(nullif(memory_clock_mean_mhz, 0))::BIGINT AS memory_clock_mean_mhz,
	CASE WHEN sum(throttled_known_ns) > 0 THEN sum(throttled_ns) END AS throttled_ns,
	sum(throttled_known_ns) AS throttled_known_ns,
	coalesce(to_json(list_sort(list_distinct(flatten(
		list(string_split(throttle_reasons, ' ')) FILTER (throttle_reasons <> ''))))), '[]'::JSON) AS throttle_reasons,
	max(processes) AS processes,
	sum(tracked_busy_ns) AS tracked_busy_ns,
	avg(tracked_memory_bytes)::BIGINT AS tracked_memory_bytes
FROM gpu_samples
WHERE host_id IN (SELECT unnest(hosts_)) AND until_at > since_ AND since_at < until_
GROUP BY host_id, uuid, epoch_us(until_at) // (interval_s::BIGINT * 1000000);

-- Those of a run's hosts while it lasted.
CREATE OR REPLACE MACRO gpus_of_run(run, interval_s) AS TABLE
FROM gpus_over((SELECT list(host_id) FROM (
		SELECT host_id FROM executions WHERE run_id = run UNION SELECT host_id FROM runs WHERE run_id = run)),
	(SELECT started_at FROM span_of(run)), (SELECT ended_at FROM span_of(run)), interval_s);

-- Paging: a cursor is "RANK ID" of the last row seen; rows follow it by rank, then id.
CREATE OR REPLACE MACRO cursor_of(rank, id) AS rank || ' ' || id;
CREATE OR REPLACE MACRO cursor_rank(cursor) AS TRY_CAST(split_part(cursor, ' ', 1) AS BIGINT);
CREATE OR REPLACE MACRO cursor_id(cursor) AS substr(cursor, strpos(cursor, ' ') + 1);
CREATE OR REPLACE MACRO follows(cursor, rank, id) AS
	cursor IS NULL OR rank > cursor_rank(cursor) OR (rank = cursor_rank(cursor) AND id > cursor_id(cursor));
CREATE OR REPLACE MACRO follows_down(cursor, rank, id) AS
	cursor IS NULL OR rank < cursor_rank(cursor) OR (rank = cursor_rank(cursor) AND id < cursor_id(cursor));
