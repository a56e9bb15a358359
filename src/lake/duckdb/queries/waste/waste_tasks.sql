-- SPDX-License-Identifier: Apache-2.0
-- The tasks that had a process at $now_at (NULL: now) and were running, or of which the run had ended (its engine may have been killed), with
-- when any process of their tree made progress last: it began or ended, used 1 % of a CPU or a GPU, read or wrote, sent or received, closed
-- a file, or was woken more than once a second. (A `sleep` that a loop starts is none.) Samples of the last hour are read; those before, of
-- tasks alone that made no progress since. wait: in which its processes spent most of their time since then, but for waiting for children.
-- history_…: of the tasks of its step that succeeded in the last 50 settled runs of the pipeline; wait_max_s: the longest wall time less
-- the time in which it computed. alone: nothing else that is tracked was on its host.
WITH live AS MATERIALIZED (
	SELECT execution_key, host_id, boot_id, cgroup_id, run_id, task_id, pid, rss_bytes, is_sleep(exe) AS sleeps FROM executions
	WHERE task_id <> '' AND started_at <= coalesce($now_at::TIMESTAMP, now_at())
		AND (status = 'running' OR ended_at > coalesce($now_at::TIMESTAMP, now_at()))
), run AS MATERIALIZED (
	SELECT run_id, name, pipeline, engine, owner_of("user", uid) AS owner, labels,
		CASE WHEN ended_at <= coalesce($now_at::TIMESTAMP, now_at()) THEN ended_at END AS ended_at,
		CASE WHEN ended_at <= coalesce($now_at::TIMESTAMP, now_at()) THEN status ELSE 'running' END AS status
	FROM runs_named WHERE run_id IN (SELECT run_id FROM live)
), task AS MATERIALIZED (
	SELECT t.task_id, t.run_id, t.host_id, coalesce(nullif(w.step, ''), t.step) AS step, coalesce(nullif(w.name, ''), t.name) AS name,
		coalesce(nullif(w.sample, ''), t.sample) AS sample, t.pid, t.started_at, t.boot_id, t.cgroup_id, t.cpus_requested,
		t.memory_requested_bytes, r.pipeline
	FROM tasks AS t JOIN run AS r USING (run_id)
	LEFT JOIN (SELECT task_id, step, name, sample FROM task_links JOIN told_tasks USING (told_id, task)) AS w USING (task_id)
	WHERE t.task_id IN (SELECT task_id FROM live)
		AND (t.status = 'running' OR t.ended_at > coalesce($now_at::TIMESTAMP, now_at()) OR r.ended_at IS NOT NULL)
), began AS (
	SELECT task_id, max(greatest(started_at, CASE WHEN ended_at <= coalesce($now_at::TIMESTAMP, now_at()) THEN ended_at END)) AS "at"
	FROM executions
	WHERE task_id IN (SELECT task_id FROM task) AND started_at <= coalesce($now_at::TIMESTAMP, now_at())
		AND NOT is_sleep(exe)
	GROUP BY task_id
), recent AS MATERIALIZED (
	FROM task_samples(coalesce($now_at::TIMESTAMP, now_at()) - INTERVAL 1 HOUR, coalesce($now_at::TIMESTAMP, now_at()),
		(SELECT list(execution_key) FROM live))
), quiet AS MATERIALIZED (
	SELECT execution_key FROM live JOIN task USING (task_id)
	WHERE task_id NOT IN (SELECT task_id FROM recent JOIN live USING (execution_key) WHERE progress)
		AND started_at < coalesce($now_at::TIMESTAMP, now_at()) - INTERVAL 1 HOUR
), sampled AS MATERIALIZED (
	SELECT l.task_id, s.* FROM (
		FROM recent UNION ALL
		FROM task_samples((SELECT min(started_at) FROM task), coalesce($now_at::TIMESTAMP, now_at()) - INTERVAL 1 HOUR,
			(SELECT list(execution_key) FROM quiet))
	) AS s JOIN live AS l USING (execution_key)
), progressed AS MATERIALIZED (
	SELECT task_id, greatest(b."at", s."at") AS "at", t.host_id
	FROM task AS t LEFT JOIN began AS b USING (task_id)
	LEFT JOIN (SELECT task_id, max(until_at) AS "at" FROM sampled WHERE progress GROUP BY task_id) AS s USING (task_id)
), waited AS (
	SELECT task_id, cut(sum(wakes)) AS wakes, sum(disk_ns) AS disk, sum(paging_ns) AS paging, sum(network_ns) AS network,
		sum(pipe_read_ns + pipe_write_ns) AS pipe, sum(lock_ns) AS lock, sum(sleep_ns) AS sleep, sum(poll_ns) AS poll, sum(other_ns) AS other,
		greatest(disk, paging, network, pipe, lock, sleep, poll, other) AS most
	FROM sampled JOIN progressed AS p USING (task_id) WHERE coalesce(until_at > p."at", true) GROUP BY task_id
), held AS (
	SELECT task_id, cut(sum(coalesce(m.rss_bytes, l.rss_bytes))) AS memory_bytes, sum(m.cpus) AS cpus,
		string_agg(DISTINCT pid, ' ' ORDER BY pid) FILTER (place <= 64) AS pids, max(m.until_at) AS until_at, bool_or(sleeps) AS sleeps
	FROM (SELECT *, row_number() OVER (PARTITION BY task_id ORDER BY pid) AS place FROM live) AS l
	LEFT JOIN (
		SELECT execution_key, arg_max(rss_bytes, until_at) AS rss_bytes, max(until_at) AS until_at,
			sum(cpu_ns) / greatest(epoch_ns(max(until_at)) - epoch_ns(min(since_at)), 1) AS cpus
		FROM recent GROUP BY execution_key
	) AS m USING (execution_key)
	GROUP BY task_id
), host AS (
	SELECT host_id, max(until_at) AS known_until FROM host_samples
	WHERE until_at BETWEEN coalesce($now_at::TIMESTAMP, now_at()) - INTERVAL 1 HOUR AND coalesce($now_at::TIMESTAMP, now_at())
	GROUP BY host_id
), lossy AS (
	SELECT DISTINCT p.task_id FROM progressed AS p JOIN losses AS l USING (host_id)
	WHERE l.what <> 'gpu' AND l.since_at <= coalesce($now_at::TIMESTAMP, now_at()) AND coalesce(l.until_at > p."at", true)
), stalls AS (
	SELECT b.task_id, arg_min(b.summary, b.happened_at) AS summary
	FROM (FROM events WHERE kind = 'stall_begin' AND task_id IN (SELECT task_id FROM task)) AS b
	ANTI JOIN (FROM events WHERE kind = 'stall_end' AND task_id IN (SELECT task_id FROM task)
		AND happened_at <= coalesce($now_at::TIMESTAMP, now_at())) AS e
		ON e.task_id = b.task_id AND e.pid = b.pid AND e.start_ns = b.start_ns AND e.happened_at >= b.happened_at
	WHERE b.happened_at <= coalesce($now_at::TIMESTAMP, now_at())
	GROUP BY b.task_id
), earlier AS (
	SELECT number, pipeline FROM settled_runs
	WHERE pipeline IN (SELECT pipeline FROM run) AND ended_at <= coalesce($now_at::TIMESTAMP, now_at())
	QUALIFY row_number() OVER (PARTITION BY pipeline ORDER BY started_at DESC, id) <= 50
), history AS (
	SELECT pipeline, step, count(*) AS tasks, quantile_cont(wall_s, 0.95) AS wall_p95_s,
		max(greatest(wall_s - CASE WHEN wall_computing_ns > 0 THEN wall_computing_ns ELSE user_ns + kernel_ns END / 1e9, 0)) AS wait_max_s
	FROM settled_tasks JOIN earlier USING (number)
	WHERE status = 'succeeded' AND (pipeline, step) IN (SELECT (pipeline, step) FROM task)
	GROUP BY pipeline, step
)
SELECT t.task_id AS id, t.run_id, t.host_id, t.step, t.name, t.sample, r.owner AS "user", r.engine, r.pipeline, r.labels,
	r.name AS run_name, r.status AS run_status, r.ended_at AS run_ended_at, c.runtime, c.job_id, c.container_id AS container, h.pids, t.pid,
	t.started_at, p."at" AS progress_at, greatest(n.known_until, h.until_at) AS known_until, l.task_id IS NULL AS complete, w.wakes,
	s.summary AS stall,
	CASE WHEN coalesce(w.most, 0) = 0 THEN CASE WHEN h.sleeps THEN 'sleep' ELSE '' END ELSE CASE w.most WHEN w.sleep THEN 'sleep' WHEN w.lock THEN 'lock' WHEN w.network THEN 'network' WHEN w.pipe THEN 'pipe'
		WHEN w.disk THEN 'disk' WHEN w.paging THEN 'paging' WHEN w.poll THEN 'poll' ELSE 'other' END END AS wait,
	t.cpus_requested, t.memory_requested_bytes, h.memory_bytes, h.cpus, y.tasks AS history, y.wall_p95_s, y.wait_max_s,
	(SELECT count(DISTINCT task_id) FROM live AS o WHERE o.host_id = t.host_id) = 1 AS alone
FROM task AS t JOIN run AS r USING (run_id) JOIN progressed AS p USING (task_id) JOIN held AS h USING (task_id)
LEFT JOIN waited AS w USING (task_id)
LEFT JOIN host AS n ON n.host_id = t.host_id
LEFT JOIN lossy AS l USING (task_id)
LEFT JOIN stalls AS s USING (task_id)
LEFT JOIN (
	SELECT host_id, boot_id, cgroup_id, runtime, job_id, container_id FROM containers WHERE cgroup_id <> 0
) AS c ON c.host_id = t.host_id AND c.boot_id = t.boot_id AND c.cgroup_id = t.cgroup_id
LEFT JOIN history AS y ON y.pipeline = t.pipeline AND y.step = t.step
ORDER BY t.run_id, t.started_at, t.task_id
LIMIT $limit;
