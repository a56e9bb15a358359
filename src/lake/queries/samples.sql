-- A run over time: what was consumed in each bucket of $interval_s seconds (`at` is its start), by $by: 'run', 'task'
-- or 'tool'. A sample is spread evenly over its interval; what an ended execution used beyond its samples is spread
-- over the rest of its life: so the area is the run's total. rss_bytes is the mean over the bucket, as is what it consists
-- of (is_kind), which is known of samples only.
WITH e AS (
	SELECT *, CASE $by WHEN 'task' THEN task_id WHEN 'tool' THEN tool_name(tool, exe) ELSE run_id END AS key
	FROM executions WHERE run_id = $run
), sampled AS (
	SELECT e.key, host_id, pid, start_ns, image_seq, s.since_at, s.until_at, s.rss_bytes,
		COLUMNS(lambda f: is_kind(f)), COLUMNS(lambda f: is_sum(f))
	FROM (SELECT key, host_id, pid, start_ns, image_seq FROM e) AS e
	JOIN samples AS s USING (host_id, pid, start_ns, image_seq)
), known AS (
	SELECT host_id, pid, start_ns, image_seq, max(until_at) AS until_at, arg_max(rss_bytes, until_at) AS rss_bytes,
		arg_max(COLUMNS(lambda f: is_kind(f)), until_at),
		-sum(COLUMNS(lambda f: is_sum(f)))
	FROM sampled GROUP BY ALL
), unknown AS ( -- of those that were sampled: of few, where most live for less than a second
	SELECT host_id, pid, start_ns, image_seq, cut(greatest(sum(COLUMNS(lambda f: is_sum(f))), 0))
	FROM (
		SELECT host_id, pid, start_ns, image_seq, COLUMNS(lambda f: is_sum(f))
		FROM e SEMI JOIN known USING (host_id, pid, start_ns, image_seq)
		UNION ALL BY NAME
		SELECT host_id, pid, start_ns, image_seq, COLUMNS(lambda f: is_sum(f)) FROM known
	)
	GROUP BY ALL
), rest AS (
	SELECT key, least(started_at, ended_at) AS since_at, ended_at AS until_at, rss_peak_bytes AS rss_bytes,
		COLUMNS(lambda f: is_sum(f))
	FROM e ANTI JOIN known USING (host_id, pid, start_ns, image_seq)
	WHERE status NOT IN ('running', 'lost')
	UNION ALL BY NAME
	SELECT e.key, least(greatest(e.started_at, k.until_at), e.ended_at) AS since_at, e.ended_at AS until_at,
		k.rss_bytes, COLUMNS(lambda f: is_kind(f)), COLUMNS(lambda f: is_sum(f))
	FROM (SELECT COLUMNS(lambda f: NOT is_sum(f) AND NOT is_kind(f)) FROM e) AS e
	JOIN unknown USING (host_id, pid, start_ns, image_seq)
	JOIN (SELECT host_id, pid, start_ns, image_seq, until_at, rss_bytes, COLUMNS(lambda f: is_kind(f)) FROM known) AS k
		USING (host_id, pid, start_ns, image_seq)
	WHERE e.status NOT IN ('running', 'lost')
), piece AS (
	SELECT * REPLACE (epoch_us(since_at) AS since_at, greatest(epoch_us(until_at), epoch_us(since_at) + 1) AS until_at),
		($interval_s * 1000000)::BIGINT AS width
	FROM (
		SELECT * EXCLUDE (host_id, pid, start_ns, image_seq) FROM sampled
		UNION ALL BY NAME SELECT * FROM rest
	)
	WHERE since_at IS NOT NULL AND until_at IS NOT NULL
), shared AS (
	SELECT *, least(until_at, begins + width) - greatest(since_at, begins) AS us, us / (until_at - since_at) AS share
	FROM (
		SELECT *, unnest(range(since_at // width, (until_at - 1) // width + 1)) * width AS begins
		FROM piece WHERE since_at // width <> (until_at - 1) // width
	)
), added AS (
	SELECT begins, key, sum(COLUMNS(lambda f: is_sum(f)) * share), sum(rss_bytes * (us / width)) AS rss_bytes,
		sum(COLUMNS(lambda f: is_kind(f)) * (us / width))
	FROM shared GROUP BY begins, key
	UNION ALL BY NAME -- what began and ended in one bucket is its own
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
