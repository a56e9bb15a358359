-- SPDX-License-Identifier: Apache-2.0
-- A run over time: what was used in each bucket of interval_ seconds (`at` is its start), by by_: 'run', 'task' or 'tool'. A
-- sample is spread evenly over its interval. What an execution used beyond its samples is spread evenly over the part of its
-- lifetime without samples (before its agent started, or while no agent ran), or over all of its lifetime where that part is too
-- short for so much CPU time: so the sum over the buckets is the total of the run, and no bucket has more CPU time than fits.
-- rss_bytes and its parts (is_kind, known from samples only) are means over the bucket.
--
-- At most 10,000 buckets are returned, at most 1,000 of them before the start of the run (the clock of a host may be off); what
-- lies outside is left out. No sample counts outside the lifetime of its execution.
CREATE OR REPLACE MACRO samples_of(run, by_, interval_) AS TABLE
WITH e AS (
	SELECT *, CASE by_ WHEN 'task' THEN task_id WHEN 'tool' THEN tool_name(tool, exe) ELSE run_id END AS key,
		CASE WHEN status IN ('running', 'lost') THEN now_at() ELSE ended_at END AS limit_at,
		CASE WHEN status IN ('running', 'lost') THEN rss_bytes ELSE rss_peak_bytes END AS level_bytes
	FROM executions WHERE run_id = run
), sampled AS (
	SELECT e.key, host_id, pid, start_ns, image_seq, greatest(least(s.since_at, e.limit_at), e.started_at) AS since_at,
		greatest(least(s.until_at, e.limit_at), e.started_at) AS until_at, s.rss_bytes,
		COLUMNS(lambda f: is_kind(f)), COLUMNS(lambda f: is_sum(f))
	FROM (SELECT execution_key, key, host_id, pid, start_ns, image_seq, started_at, limit_at FROM e) AS e
	JOIN (
		SELECT execution_key, since_at, until_at, unnest(unpack_figures(figures))
		FROM samples_packed SEMI JOIN e USING (execution_key)
	) AS s USING (execution_key)
), known AS (
	SELECT host_id, pid, start_ns, image_seq, max(until_at) AS until_at, arg_max(rss_bytes, until_at) AS rss_bytes,
		arg_max(COLUMNS(lambda f: is_kind(f)), until_at),
		-sum(COLUMNS(lambda f: is_sum(f)))
	FROM sampled GROUP BY ALL
), life AS ( -- until when the figures of an execution count: its end, or where it runs or was lost, the last record of it
	SELECT host_id, pid, start_ns, image_seq, key, started_at, rss_peak_bytes, threads_peak, level_bytes, k.rss_bytes,
		CASE status WHEN 'running' THEN greatest(created_at, k.until_at, started_at)
			WHEN 'lost' THEN greatest(ended_at, k.until_at, started_at) ELSE ended_at END AS last_at, k.until_at AS sampled_at
	FROM e LEFT JOIN (SELECT host_id, pid, start_ns, image_seq, until_at, rss_bytes FROM known) AS k
		USING (host_id, pid, start_ns, image_seq)
), unknown AS ( -- of executions with samples: few, as most run for less than a second
	SELECT * FROM (
		SELECT host_id, pid, start_ns, image_seq, cut(greatest(sum(COLUMNS(lambda f: is_sum(f))), 0))
		FROM (
			SELECT host_id, pid, start_ns, image_seq, COLUMNS(lambda f: is_sum(f))
			FROM e SEMI JOIN known USING (host_id, pid, start_ns, image_seq)
			UNION ALL BY NAME
			SELECT host_id, pid, start_ns, image_seq, COLUMNS(lambda f: is_sum(f)) FROM known
		)
		GROUP BY ALL
	)
	WHERE greatest(*COLUMNS(lambda f: is_sum(f))) > 0
), gap AS (
	SELECT host_id, pid, start_ns, image_seq, l.key, l.rss_bytes, g.since_at, g.until_at, l.started_at, l.last_at,
		sum(epoch_us(g.until_at) - epoch_us(g.since_at)) OVER (PARTITION BY host_id, pid, start_ns, image_seq) AS all_us,
		(u.user_ns + u.kernel_ns) / 1000 / greatest(l.threads_peak, 1) AS cpu_us
	FROM (
		SELECT host_id, pid, start_ns, image_seq, max(until_at) OVER before AS since_at, since_at AS until_at
		FROM sampled SEMI JOIN unknown USING (host_id, pid, start_ns, image_seq)
		WINDOW before AS (PARTITION BY host_id, pid, start_ns, image_seq ORDER BY since_at
			ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
		UNION ALL
		SELECT host_id, pid, start_ns, image_seq, until_at, NULL FROM known
		SEMI JOIN unknown USING (host_id, pid, start_ns, image_seq)
	) AS s JOIN life AS l USING (host_id, pid, start_ns, image_seq) JOIN unknown AS u USING (host_id, pid, start_ns, image_seq),
	LATERAL (SELECT coalesce(s.since_at, l.started_at) AS since_at,
		greatest(coalesce(s.since_at, l.started_at), coalesce(s.until_at, l.last_at)) AS until_at) AS g
), place AS (
	SELECT host_id, pid, start_ns, image_seq, key, since_at, until_at, rss_bytes,
		(epoch_us(until_at) - epoch_us(since_at)) / all_us AS part
	FROM gap WHERE all_us > 0 AND all_us >= cpu_us AND until_at > since_at
	UNION ALL
	SELECT DISTINCT host_id, pid, start_ns, image_seq, key, least(started_at, last_at), last_at, 0, 1
	FROM gap WHERE all_us = 0 OR all_us < cpu_us
), rest AS (
	SELECT l.key, least(l.started_at, l.last_at) AS since_at, l.last_at AS until_at, level_bytes AS rss_bytes,
		COLUMNS(lambda f: is_sum(f))
	FROM (SELECT host_id, pid, start_ns, image_seq, COLUMNS(lambda f: is_sum(f)) FROM e) AS f
	JOIN (SELECT * EXCLUDE (rss_bytes) FROM life WHERE sampled_at IS NULL) AS l USING (host_id, pid, start_ns, image_seq)
	UNION ALL BY NAME
	SELECT p.key, p.since_at, p.until_at, p.rss_bytes, COLUMNS(lambda f: is_sum(f)) * p.part
	FROM unknown JOIN place AS p USING (host_id, pid, start_ns, image_seq)
), all_intervals AS (
	SELECT * REPLACE (epoch_us(since_at) AS since_at, greatest(epoch_us(until_at), epoch_us(since_at) + 1) AS until_at)
	FROM (
		SELECT * EXCLUDE (host_id, pid, start_ns, image_seq) FROM sampled
		UNION ALL BY NAME SELECT * FROM rest
	)
	WHERE since_at IS NOT NULL AND until_at IS NOT NULL
), frame AS (
	SELECT width, begun_at // width - 1000 AS first, begun_at // width + 9000 AS behind
	FROM (SELECT (interval_ * 1000000)::BIGINT AS width, coalesce(epoch_us((SELECT started_at FROM runs WHERE run_id = run)),
		(SELECT min(since_at) FROM all_intervals)) AS begun_at)
), piece AS (
	FROM all_intervals, frame WHERE since_at // width < behind AND (until_at - 1) // width >= first
), shared AS (
	SELECT *, least(until_at, begins + width) - greatest(since_at, begins) AS us, us / (until_at - since_at) AS share
	FROM (
		SELECT *, unnest(range(greatest(since_at // width, first), least((until_at - 1) // width + 1, behind))) * width AS begins
		FROM piece WHERE since_at // width <> (until_at - 1) // width
	)
), added AS (
	SELECT begins, key, sum(COLUMNS(lambda f: is_sum(f)) * share), sum(rss_bytes * (us / width)) AS rss_bytes,
		sum(COLUMNS(lambda f: is_kind(f)) * (us / width))
	FROM shared GROUP BY begins, key
	UNION ALL BY NAME -- intervals within one bucket
	SELECT since_at // width * width AS begins, key, sum(COLUMNS(lambda f: is_sum(f))),
		sum(rss_bytes * ((until_at - since_at) / width)) AS rss_bytes,
		sum(COLUMNS(lambda f: is_kind(f)) * ((until_at - since_at) / width))
	FROM piece WHERE since_at // width = (until_at - 1) // width GROUP BY ALL
)
SELECT make_timestamp(begins) AS "at", key,
	cut(round(sum(COLUMNS(lambda f: is_sum(f))))),
	cut(round(sum(rss_bytes))) AS rss_bytes,
	cut(coalesce(round(sum(COLUMNS(lambda f: is_kind(f)))), 0))
FROM added GROUP BY begins, key ORDER BY begins, key;

-- How long the buckets of the samples of a run should be, in seconds: a round number, with at most 400 buckets.
CREATE OR REPLACE MACRO samples_interval_of(run) AS TABLE
SELECT coalesce(
	list_min(list_filter([1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400],
		lambda length: length * 399 >= wall_s)),
	ceil(wall_s / 399))::BIGINT AS interval_s
FROM (SELECT seconds(started_at, ended_at) AS wall_s FROM span_of(run));
