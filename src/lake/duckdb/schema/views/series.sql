-- SPDX-License-Identifier: Apache-2.0
-- Runs over time: what was used in each bucket (its start is `begins`, in microseconds) of as many seconds as intervals_ has for each run, by
-- run, tool and task (keyed_by). Unless by_ is 'all', only what is keyed by it is complete. A sample is spread evenly over its
-- interval. What an execution used beyond its samples is spread evenly over the part of its lifetime without samples (before its
-- agent started, or while no agent ran), or over all of its lifetime where that part is too short for so much CPU time: so the sum
-- over the buckets is the total of the run, and no bucket has more CPU time than fits. rss_bytes and its parts (known from samples
-- only) are means over the bucket.
--
-- At most 10,000 buckets are returned, at most 1,000 of them before the start of the run (the clock of a host may be off); what
-- lies outside is left out. No sample counts outside the lifetime of its execution.
--
-- Most samples lie within one bucket: these are added up by execution and bucket first (grouped), so that all that follows is about a
-- fraction of the rows. first_bucket, last_bucket: of a row; apart, apart_until: of a sample that lies in several.
CREATE OR REPLACE MACRO series_by_run(runs_, intervals_, by_) AS TABLE
WITH wanted AS (
	SELECT unnest(runs_) AS run_id, unnest(intervals_)::BIGINT * 1000000 AS width
), e AS (
	SELECT execution_key, run_id, w.width, started_at, ended_at, created_at, status, rss_peak_bytes, threads_peak,
		COLUMNS(lambda f: is_sum(f)),
		CASE WHEN by_ IN ('task', 'all') THEN task_id ELSE '' END AS task,
		CASE WHEN by_ IN ('tool', 'all') THEN tool_name(tool, exe) ELSE '' END AS tool_key,
		CASE WHEN status IN ('running', 'lost') THEN now_at() ELSE ended_at END AS limit_at,
		CASE WHEN status IN ('running', 'lost') THEN rss_bytes ELSE rss_peak_bytes END AS level_bytes
	FROM executions AS x JOIN wanted AS w USING (run_id) WHERE is_one_of(runs_, run_id)
), sampled AS (
	SELECT execution_key, width, until_at, epoch_us(since_at) AS since_us,
		greatest(epoch_us(until_at), epoch_us(since_at) + 1) AS until_us, unnest(unpack_figures(figures))
	FROM (
		SELECT execution_key, e.width, s.figures, greatest(least(s.since_at, e.limit_at), e.started_at) AS since_at,
			greatest(least(s.until_at, e.limit_at), e.started_at) AS until_at
		FROM samples_packed AS s JOIN (SELECT execution_key, width, started_at, limit_at FROM e) AS e USING (execution_key)
	)
), grouped AS MATERIALIZED (
	SELECT execution_key, since_us // width AS first_bucket, (until_us - 1) // width AS last_bucket,
		CASE WHEN since_us // width <> (until_us - 1) // width THEN since_us END AS apart,
		CASE WHEN since_us // width <> (until_us - 1) // width THEN until_us END AS apart_until,
		min(since_us) AS since_us, max(until_us) AS until_us, max(until_at) AS until_at,
		arg_max(rss_bytes, until_at) AS rss_bytes, arg_max(rss_anon_bytes, until_at) AS rss_anon_bytes,
		arg_max(rss_file_bytes, until_at) AS rss_file_bytes, arg_max(rss_shmem_bytes, until_at) AS rss_shmem_bytes,
		arg_max(swap_bytes, until_at) AS swap_bytes,
		sum(rss_bytes * ((until_us - since_us) / width)) AS mean_rss_bytes,
		sum(rss_anon_bytes * ((until_us - since_us) / width)) AS mean_rss_anon_bytes,
		sum(rss_file_bytes * ((until_us - since_us) / width)) AS mean_rss_file_bytes,
		sum(rss_shmem_bytes * ((until_us - since_us) / width)) AS mean_rss_shmem_bytes,
		sum(swap_bytes * ((until_us - since_us) / width)) AS mean_swap_bytes,
		sum(COLUMNS(lambda f: is_sum(f)))
	FROM sampled GROUP BY ALL
), known AS MATERIALIZED (
	SELECT execution_key, max(until_at) AS until_at, arg_max(rss_bytes, until_at) AS rss_bytes,
		-sum(COLUMNS(lambda f: is_sum(f)))
	FROM grouped GROUP BY ALL
), life AS ( -- until when the figures of an execution count: its end, or where it runs or was lost, the last record of it
	SELECT execution_key, started_at, rss_peak_bytes, threads_peak, level_bytes, k.rss_bytes,
		CASE status WHEN 'running' THEN greatest(created_at, k.until_at, started_at)
			WHEN 'lost' THEN greatest(ended_at, k.until_at, started_at) ELSE ended_at END AS last_at, k.until_at AS sampled_at
	FROM (
		SELECT execution_key, started_at, ended_at, created_at, status, rss_peak_bytes, threads_peak, level_bytes FROM e
	) LEFT JOIN (SELECT execution_key, until_at, rss_bytes FROM known) AS k USING (execution_key)
), unknown AS ( -- of executions with samples: few, as most run for less than a second
	SELECT * FROM (
		SELECT execution_key, cut(greatest(sum(COLUMNS(lambda f: is_sum(f))), 0))
		FROM (
			SELECT execution_key, COLUMNS(lambda f: is_sum(f)) FROM e SEMI JOIN known USING (execution_key)
			UNION ALL BY NAME
			SELECT execution_key, COLUMNS(lambda f: is_sum(f)) FROM known
		)
		GROUP BY ALL
	)
	WHERE greatest(*COLUMNS(lambda f: is_sum(f))) > 0
), times AS ( -- of their samples
	SELECT execution_key, greatest(least(s.since_at, e.limit_at), e.started_at) AS since_at,
		greatest(least(s.until_at, e.limit_at), e.started_at) AS until_at
	FROM samples_packed AS s
	JOIN (SELECT execution_key, started_at, limit_at FROM e SEMI JOIN unknown USING (execution_key)) AS e USING (execution_key)
), gap AS (
	SELECT execution_key, l.rss_bytes, g.since_at, g.until_at, l.started_at, l.last_at,
		sum(epoch_us(g.until_at) - epoch_us(g.since_at)) OVER (PARTITION BY execution_key) AS all_us,
		(u.user_ns + u.kernel_ns) / 1000 / greatest(l.threads_peak, 1) AS cpu_us
	FROM (
		SELECT execution_key, max(until_at) OVER before AS since_at, since_at AS until_at
		FROM times WINDOW before AS (PARTITION BY execution_key ORDER BY since_at ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
		UNION ALL
		SELECT execution_key, until_at, NULL FROM known SEMI JOIN unknown USING (execution_key)
	) AS s JOIN life AS l USING (execution_key) JOIN unknown AS u USING (execution_key),
	LATERAL (SELECT coalesce(s.since_at, l.started_at) AS since_at,
		greatest(coalesce(s.since_at, l.started_at), coalesce(s.until_at, l.last_at)) AS until_at) AS g
), place AS (
	SELECT execution_key, since_at, until_at, rss_bytes, (epoch_us(until_at) - epoch_us(since_at)) / all_us AS part
	FROM gap WHERE all_us > 0 AND all_us >= cpu_us AND until_at > since_at
	UNION ALL
	SELECT DISTINCT execution_key, least(started_at, last_at), last_at, 0, 1
	FROM gap WHERE all_us = 0 OR all_us < cpu_us
), rest AS (
	SELECT execution_key, epoch_us(since_at) AS since_us, greatest(epoch_us(until_at), epoch_us(since_at) + 1) AS until_us,
		* EXCLUDE (execution_key, since_at, until_at)
	FROM (
		SELECT f.execution_key, least(l.started_at, l.last_at) AS since_at, l.last_at AS until_at, l.level_bytes AS rss_bytes,
			COLUMNS(lambda f: is_sum(f))
		FROM (SELECT execution_key, COLUMNS(lambda f: is_sum(f)) FROM e) AS f
		JOIN (SELECT execution_key, started_at, last_at, level_bytes FROM life WHERE sampled_at IS NULL) AS l USING (execution_key)
		UNION ALL BY NAME
		SELECT execution_key, p.since_at, p.until_at, p.rss_bytes, COLUMNS(lambda f: is_sum(f)) * p.part
		FROM unknown JOIN place AS p USING (execution_key)
	)
	WHERE since_at IS NOT NULL AND until_at IS NOT NULL
), frame AS (
	SELECT run_id, width, begun_at // width - 1000 AS first, begun_at // width + 9000 AS behind
	FROM (
		SELECT run_id, any_value(width) AS width, epoch_us(coalesce(any_value(r.started_at), min(e.started_at), min(e.created_at))) AS begun_at
		FROM (SELECT run_id, width, started_at, created_at FROM e) AS e
		LEFT JOIN (SELECT run_id, started_at FROM runs WHERE is_one_of(runs_, run_id)) AS r USING (run_id) GROUP BY run_id
	)
), owner AS (
	SELECT execution_key, run_id, task, tool_key AS tool, f.width, f.first, f.behind
	FROM (SELECT execution_key, run_id, task, tool_key FROM e) JOIN frame AS f USING (run_id)
), long AS ( -- in several buckets
	SELECT w.*, since_us, until_us, unnest(range(greatest(since_us // width, first), least((until_us - 1) // width + 1, behind))) * width AS begins,
		i.* EXCLUDE (execution_key, since_us, until_us)
	FROM (
		SELECT * EXCLUDE (first_bucket, last_bucket, apart, apart_until, until_at, mean_rss_bytes, mean_rss_anon_bytes, mean_rss_file_bytes,
			mean_rss_shmem_bytes, mean_swap_bytes)
		FROM grouped WHERE apart IS NOT NULL
		UNION ALL BY NAME SELECT r.* FROM rest AS r JOIN owner USING (execution_key) WHERE since_us // width <> (until_us - 1) // width
	) AS i JOIN owner AS w USING (execution_key)
), piece AS (
	SELECT run_id, begins, task, tool, sum(COLUMNS(lambda f: is_sum(f)) * (us / (until_us - since_us))),
		sum(rss_bytes * (us / width)) AS rss_bytes, sum(COLUMNS(lambda f: is_kind(f)) * (us / width))
	FROM (SELECT *, least(until_us, begins + width) - greatest(since_us, begins) AS us FROM long)
	GROUP BY run_id, begins, task, tool
	UNION ALL BY NAME
	SELECT run_id, first_bucket * width AS begins, task, tool, sum(COLUMNS(lambda f: is_sum(f))), sum(mean_rss_bytes) AS rss_bytes,
		sum(mean_rss_anon_bytes) AS rss_anon_bytes, sum(mean_rss_file_bytes) AS rss_file_bytes,
		sum(mean_rss_shmem_bytes) AS rss_shmem_bytes, sum(mean_swap_bytes) AS swap_bytes
	FROM grouped JOIN owner USING (execution_key) WHERE apart IS NULL AND first_bucket < behind AND last_bucket >= first GROUP BY ALL
	UNION ALL BY NAME
	SELECT run_id, since_us // width * width AS begins, task, tool, sum(COLUMNS(lambda f: is_sum(f))),
		sum(rss_bytes * ((until_us - since_us) / width)) AS rss_bytes
	FROM rest JOIN owner USING (execution_key)
	WHERE since_us // width = (until_us - 1) // width AND since_us // width < behind AND since_us // width >= first GROUP BY ALL
)
SELECT run_id, CASE grouping(task, tool) WHEN 3 THEN 'run' WHEN 2 THEN 'tool' ELSE 'task' END AS keyed_by,
	make_timestamp(begins) AS "at", coalesce(tool, task, run_id) AS key,
	cut(round(sum(COLUMNS(lambda f: is_sum(f))))),
	cut(round(sum(rss_bytes))) AS rss_bytes,
	cut(coalesce(round(sum(COLUMNS(lambda f: is_kind(f)))), 0))
FROM piece GROUP BY GROUPING SETS ((run_id, begins), (run_id, begins, tool), (run_id, begins, task));

CREATE OR REPLACE MACRO samples_of(run, by_, interval_) AS TABLE
SELECT * EXCLUDE (run_id, keyed_by) FROM series_by_run([run], [interval_], by_) WHERE keyed_by = by_ ORDER BY "at", key;

-- How long the buckets of the samples of a run should be, in seconds: a round number, with at most 400 buckets.
CREATE OR REPLACE MACRO samples_intervals_by_run(runs_) AS TABLE
SELECT run_id, coalesce(
	list_min(list_filter([1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400],
		lambda length: length * 399 >= wall_s)),
	ceil(wall_s / 399))::BIGINT AS interval_s
FROM (SELECT run_id, seconds(started_at, ended_at) AS wall_s FROM spans_by_run(runs_));
CREATE OR REPLACE MACRO samples_interval_of(run) AS TABLE SELECT interval_s FROM samples_intervals_by_run([run]);
