-- SPDX-License-Identifier: Apache-2.0
-- What runs held of their hosts, for their cost (cost/sheet.h). One row a time in which that is taken as constant:
-- of a task all of its time on a host; of what is in no task (engines, shells), and of the kernel of a notebook, each minute
-- in which it used 1 % of a CPU or more: what only waits holds nothing, and is one row without a length, for its CPU time.
-- memory_bytes: the mean of what its processes held, each with its peak; of the minutes the mean of the samples.
-- gpus: how many it held: one where its processes used any, more where they kept more busy.

CREATE OR REPLACE MACRO hold_executions(runs_) AS TABLE
SELECT execution_key, run_id, host_id, CASE WHEN w.run_id IS NULL THEN task_id ELSE '' END AS task_id, tool_name(tool, exe) AS tool, started_at,
	greatest(coalesce(ended_at, now_at()), started_at + INTERVAL 1 MICROSECOND) AS ended_at,
	cut(user_ns::HUGEINT + kernel_ns) AS cpu_ns, rss_peak_bytes, gpu_busy_ns, gpu_memory_peak_bytes > 0 OR gpu_busy_ns > 0 AS on_gpu,
	coalesce(nullif(c.name, ''), c.container_id, '') AS container, coalesce(nullif(c.pod_name, ''), c.pod, '') AS pod
FROM execution_now_of(runs_)
LEFT JOIN (SELECT DISTINCT run_id, task_id FROM waiting_work WHERE task_id <> '') AS w USING (run_id, task_id)
LEFT JOIN (SELECT host_id, boot_id, cgroup_id, name, container_id, pod_name, pod FROM containers WHERE cgroup_id <> 0) AS c
	USING (host_id, boot_id, cgroup_id)
WHERE started_at IS NOT NULL;

CREATE OR REPLACE MACRO task_holds(runs_) AS TABLE
WITH e AS (
	SELECT * FROM hold_executions(runs_) WHERE task_id <> ''
), tools AS (
	SELECT run_id, host_id, task_id, parts_of(tool, cpu_ns) AS tools
	FROM (SELECT run_id, host_id, task_id, tool, cut(sum(cpu_ns)) AS cpu_ns FROM e GROUP BY ALL) GROUP BY ALL
), held AS (
	SELECT run_id, host_id, task_id, min(started_at) AS since_at, max(ended_at) AS until_at, cut(sum(cpu_ns)) AS cpu_ns,
		sum(rss_peak_bytes::DOUBLE * (epoch_us(ended_at) - epoch_us(started_at))) AS byte_us,
		cut(sum(gpu_busy_ns)) AS gpu_busy_ns, bool_or(on_gpu) AS on_gpu, max(container) AS container, max(pod) AS pod
	FROM e GROUP BY ALL
), spans AS (
	SELECT h.* EXCLUDE (since_at, until_at), least(h.since_at, t.started_at) AS since_at, greatest(h.until_at, t.ended_at) AS until_at
	FROM held AS h LEFT JOIN (SELECT run_id, task_id, host_id, started_at, ended_at FROM tasks WHERE is_one_of(runs_, run_id)) AS t
		USING (run_id, task_id, host_id)
)
SELECT run_id, host_id, task_id, since_at, until_at, cpu_ns,
	cut((byte_us / greatest(epoch_us(until_at) - epoch_us(since_at), 1))::HUGEINT) AS memory_bytes, gpu_busy_ns,
	CASE WHEN on_gpu THEN greatest(ceil(gpu_busy_ns / 1000 / greatest(epoch_us(until_at) - epoch_us(since_at), 1)), 1) ELSE 0 END::BIGINT AS gpus,
	tools, container, pod
FROM spans LEFT JOIN tools USING (run_id, host_id, task_id);

CREATE OR REPLACE MACRO engine_holds(runs_) AS TABLE
WITH e AS (
	SELECT * FROM hold_executions(runs_) WHERE task_id = ''
), sampled AS (
	SELECT execution_key, since_at, until_at, f.user_ns + f.kernel_ns AS cpu_ns, f.rss_bytes AS bytes
	FROM (
		SELECT s.execution_key, greatest(s.since_at, e.started_at) AS since_at, least(s.until_at, e.ended_at) AS until_at,
			unpack_figures(s.figures) AS f
		FROM samples_packed AS s JOIN e USING (execution_key)
	)
	WHERE until_at > since_at
), used AS ( -- what has no samples is short, or was used before the agent began
	SELECT execution_key, since_at, until_at, cpu_ns, bytes, 0 AS alone FROM sampled
	UNION ALL
	SELECT execution_key, started_at, ended_at, cpu_ns, rss_peak_bytes, CASE WHEN ended_at > started_at + INTERVAL 1 MINUTE THEN execution_key ELSE 0 END
	FROM e ANTI JOIN sampled USING (execution_key)
), minutes AS (
	SELECT run_id, host_id, tool, alone, epoch_us(since_at) // 60000000 AS minute, min(since_at) AS since_at, max(until_at) AS until_at,
		sum(u.cpu_ns) AS cpu_ns, sum(bytes::DOUBLE * (epoch_us(until_at) - epoch_us(since_at))) AS byte_us, bool_or(on_gpu) AS on_gpu
	FROM used AS u JOIN (SELECT execution_key, run_id, host_id, tool, on_gpu FROM e) USING (execution_key) GROUP BY ALL
)
SELECT run_id, host_id, '' AS task_id, since_at, CASE WHEN holds THEN until_at ELSE since_at END AS until_at, cut(cpu_ns) AS cpu_ns,
	CASE WHEN holds THEN cut((byte_us / (epoch_us(until_at) - epoch_us(since_at)))::HUGEINT) ELSE 0 END AS memory_bytes,
	0::BIGINT AS gpu_busy_ns, (holds AND on_gpu)::BIGINT AS gpus, tools, '' AS container, '' AS pod
FROM (
	SELECT run_id, host_id, holds, min(since_at) AS since_at, max(until_at) AS until_at, sum(cpu_ns) AS cpu_ns, sum(byte_us) AS byte_us,
		bool_or(on_gpu) AS on_gpu, parts_of(tool, cut(cpu_ns)) AS tools
	FROM (
		SELECT run_id, host_id, tool, holds, CASE WHEN holds THEN alone ELSE 0 END AS alone, CASE WHEN holds THEN minute ELSE 0 END AS minute,
			min(since_at) AS since_at, max(until_at) AS until_at, sum(cpu_ns) AS cpu_ns, sum(byte_us) AS byte_us, bool_or(on_gpu) AS on_gpu
		FROM (
			SELECT *, sum(cpu_ns) OVER w * 100 >= epoch_ns(max(until_at) OVER w) - epoch_ns(min(since_at) OVER w) AS holds
			FROM minutes WINDOW w AS (PARTITION BY run_id, host_id, alone, minute)
		)
		GROUP BY ALL
	)
	GROUP BY run_id, host_id, holds, alone, minute
);

CREATE OR REPLACE MACRO holds_by_run(runs_) AS TABLE
SELECT h.*, coalesce(t.step, '') AS step, coalesce(t.name, '') AS name, coalesce(t.sample, '') AS sample,
	CASE WHEN t.host_id = h.host_id THEN t.cpus_requested ELSE 0 END::DOUBLE AS cpus_requested,
	CASE WHEN t.host_id = h.host_id THEN t.memory_requested_bytes ELSE 0 END::BIGINT AS memory_requested_bytes, f.input_bytes
FROM (FROM task_holds(runs_) UNION ALL BY NAME FROM engine_holds(runs_)) AS h
LEFT JOIN (
	SELECT task_id, host_id, step, name, sample, cpus_requested, memory_requested_bytes FROM tasks_named WHERE is_one_of(runs_, run_id)
) AS t USING (task_id)
LEFT JOIN (SELECT run_id, task_id, input_bytes FROM task_files_by_run(runs_)) AS f USING (run_id, task_id);

-- The runs that may have held something within a time, and that are not settled.
CREATE OR REPLACE MACRO holders_between(since_, until_) AS TABLE
SELECT run_id FROM runs
WHERE run_id NOT IN (SELECT run_id FROM settled_activity) AND run_id NOT IN (SELECT part_id FROM parts)
	AND coalesce(started_at, created_at) < until_ AND (ended_at IS NULL OR status IN ('running', 'lost') OR ended_at > since_ - INTERVAL 1 DAY);
-- What the runs in the variable `holders` held (duckdb_settled.c).
CREATE OR REPLACE MACRO open_holds() AS TABLE FROM holds_by_run(getvariable('holders'));
