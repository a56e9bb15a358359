-- SPDX-License-Identifier: Apache-2.0
-- What runs held of their hosts, for their cost (cost/sheet.h). One row a time in which that is taken as constant:
-- of a task all of its time on a host; of what is in no task (engines, shells), and of the kernel of a notebook, each minute
-- in which it used 1 % of a CPU or more: what only waits holds nothing, and is one row without a length, for its CPU time.
-- memory_bytes: the mean of what its processes held, each with its peak; of the minutes the mean of the samples.
-- gpus: how many it held: one where its processes used any, more where they kept more busy.

-- The executions of runs, by the rules of work_of (activity.sql).
CREATE OR REPLACE MACRO hold_executions(runs_) AS TABLE
SELECT o.execution_key, o.run_id, o.host_id, CASE WHEN w.run_id IS NULL THEN o.task_id ELSE '' END AS task_id, tool_name(tool, exe) AS tool,
	started_at, greatest(started_at + INTERVAL 1 MICROSECOND, CASE status WHEN 'lost' THEN greatest(ended_at, s.until_at)
		WHEN 'running' THEN now_at() ELSE coalesce(ended_at, now_at()) END) AS ended_at,
	CASE WHEN is_open THEN greatest(o.user_ns, s.user_ns) + greatest(o.kernel_ns, s.kernel_ns) ELSE o.user_ns + o.kernel_ns END AS cpu_ns,
	rss_peak_bytes, gpu_busy_ns, gpu_memory_peak_bytes > 0 OR gpu_busy_ns > 0 AS on_gpu,
	coalesce(nullif(c.name, ''), c.container_id, '') AS container, coalesce(nullif(c.pod_name, ''), c.pod, '') AS pod
FROM (
	SELECT *, is_open(status, found) AS is_open FROM executions WHERE is_one_of(runs_, run_id) AND started_at IS NOT NULL
) AS o
LEFT JOIN execution_sampled AS s ON s.execution_key = CASE WHEN is_open THEN o.execution_key END
LEFT JOIN (SELECT DISTINCT run_id, task_id FROM waiting_work WHERE task_id <> '') AS w ON w.run_id = o.run_id AND w.task_id = o.task_id
LEFT JOIN (SELECT host_id, boot_id, cgroup_id, name, container_id, pod_name, pod FROM containers WHERE cgroup_id <> 0) AS c
	ON c.host_id = o.host_id AND c.boot_id = o.boot_id AND c.cgroup_id = o.cgroup_id;

CREATE OR REPLACE MACRO holds_by_run(runs_) AS TABLE
WITH e AS MATERIALIZED (
	FROM hold_executions(runs_)
), named AS MATERIALIZED (
	SELECT task_id, host_id, step, name, sample, cpus_requested, memory_requested_bytes, started_at, ended_at
	FROM tasks_named WHERE is_one_of(runs_, run_id)
), of_tasks AS (
	SELECT run_id, host_id, task_id, parts_of(tool, cut(cpu_ns)) AS tools, min(since_at) AS since_at, max(until_at) AS until_at,
		sum(cpu_ns) AS cpu_ns, sum(byte_us) AS byte_us, sum(gpu_busy_ns) AS gpu_busy_ns, bool_or(on_gpu) AS on_gpu,
		max(container) AS container, max(pod) AS pod
	FROM (
		SELECT run_id, host_id, task_id, tool, min(started_at) AS since_at, max(ended_at) AS until_at, sum(cpu_ns) AS cpu_ns,
			sum(rss_peak_bytes::DOUBLE * (epoch_us(ended_at) - epoch_us(started_at))) AS byte_us,
			sum(gpu_busy_ns) AS gpu_busy_ns, bool_or(on_gpu) AS on_gpu, max(container) AS container, max(pod) AS pod
		FROM e WHERE task_id <> '' GROUP BY ALL
	)
	GROUP BY run_id, host_id, task_id
), task_holds AS (
	SELECT h.* EXCLUDE (since_at, until_at, cpu_ns, byte_us, on_gpu, gpu_busy_ns), h.since_at, h.until_at, cut(cpu_ns) AS cpu_ns,
		cut((byte_us / greatest(us, 1))::HUGEINT) AS memory_bytes, cut(gpu_busy_ns) AS gpu_busy_ns,
		CASE WHEN on_gpu THEN greatest(ceil(gpu_busy_ns / 1000 / greatest(us, 1)), 1) ELSE 0 END::BIGINT AS gpus
	FROM (
		SELECT *, epoch_us(until_at) - epoch_us(since_at) AS us FROM (
			SELECT h.* REPLACE (least(h.since_at, t.started_at) AS since_at, greatest(h.until_at, t.ended_at) AS until_at)
			FROM of_tasks AS h LEFT JOIN named AS t ON t.task_id = h.task_id AND t.host_id = h.host_id
		)
	) AS h
), idle AS (
	FROM e WHERE task_id = ''
), sampled AS (
	SELECT execution_key, since_at, until_at, f.user_ns + f.kernel_ns AS cpu_ns, f.rss_bytes AS bytes
	FROM (
		SELECT s.execution_key, greatest(s.since_at, e.started_at) AS since_at, least(s.until_at, e.ended_at) AS until_at,
			unpack_figures(s.figures) AS f
		FROM samples_packed AS s JOIN idle AS e USING (execution_key)
	)
	WHERE until_at > since_at
), used AS ( -- what has no samples is short, or was used before the agent began
	SELECT execution_key, since_at, until_at, cpu_ns, bytes, 0 AS alone FROM sampled
	UNION ALL
	SELECT execution_key, started_at, ended_at, cpu_ns, rss_peak_bytes, CASE WHEN ended_at > started_at + INTERVAL 1 MINUTE THEN execution_key ELSE 0 END
	FROM idle ANTI JOIN sampled USING (execution_key)
), minutes AS (
	SELECT run_id, host_id, tool, alone, epoch_us(since_at) // 60000000 AS minute, min(since_at) AS since_at, max(until_at) AS until_at,
		sum(u.cpu_ns) AS cpu_ns, sum(bytes::DOUBLE * (epoch_us(until_at) - epoch_us(since_at))) AS byte_us, bool_or(on_gpu) AS on_gpu
	FROM used AS u JOIN (SELECT execution_key, run_id, host_id, tool, on_gpu FROM e) USING (execution_key) GROUP BY ALL
), judged AS (
	SELECT *, sum(cpu_ns) OVER w * 100 >= epoch_ns(max(until_at) OVER w) - epoch_ns(min(since_at) OVER w) AS holds
	FROM minutes WINDOW w AS (PARTITION BY run_id, host_id, alone, minute)
), engine_holds AS (
	SELECT run_id, host_id, '' AS task_id, since_at, CASE WHEN holds THEN until_at ELSE since_at END AS until_at, cut(cpu_ns) AS cpu_ns,
		CASE WHEN holds THEN cut((byte_us / (epoch_us(until_at) - epoch_us(since_at)))::HUGEINT) ELSE 0 END AS memory_bytes,
		0::BIGINT AS gpu_busy_ns, (holds AND on_gpu)::BIGINT AS gpus, tools, '' AS container, '' AS pod
	FROM (
		SELECT run_id, host_id, holds, min(since_at) AS since_at, max(until_at) AS until_at, sum(cpu_ns) AS cpu_ns, sum(byte_us) AS byte_us,
			bool_or(on_gpu) AS on_gpu, parts_of(tool, cut(cpu_ns)) AS tools
		FROM (
			SELECT run_id, host_id, tool, holds, CASE WHEN holds THEN alone ELSE 0 END AS alone, CASE WHEN holds THEN minute ELSE 0 END AS minute,
				min(since_at) AS since_at, max(until_at) AS until_at, sum(cpu_ns) AS cpu_ns, sum(byte_us) AS byte_us, bool_or(on_gpu) AS on_gpu
			FROM judged GROUP BY ALL
		)
		GROUP BY run_id, host_id, holds, alone, minute
	)
)
SELECT h.*, coalesce(t.step, '') AS step, coalesce(t.name, '') AS name, coalesce(t.sample, '') AS sample,
	CASE WHEN t.host_id = h.host_id THEN t.cpus_requested ELSE 0 END::DOUBLE AS cpus_requested,
	CASE WHEN t.host_id = h.host_id THEN t.memory_requested_bytes ELSE 0 END::BIGINT AS memory_requested_bytes, f.input_bytes
FROM (FROM task_holds UNION ALL BY NAME FROM engine_holds) AS h
LEFT JOIN named AS t USING (task_id)
LEFT JOIN (SELECT run_id, task_id, input_bytes FROM task_files_by_run(runs_)) AS f USING (run_id, task_id);

-- The runs that may have held something within a time, and that are not settled.
CREATE OR REPLACE MACRO holders_between(since_, until_) AS TABLE
SELECT run_id FROM runs
WHERE run_id NOT IN (SELECT run_id FROM settled_activity) AND run_id NOT IN (SELECT part_id FROM parts)
	AND coalesce(started_at, created_at) < until_ AND (ended_at IS NULL OR status IN ('running', 'lost') OR ended_at > since_ - INTERVAL 1 DAY);
-- What the runs in the variable `holders` held (duckdb_settled.c).
CREATE OR REPLACE MACRO open_holds() AS TABLE FROM holds_by_run(getvariable('holders'));
