-- A run over time: what was consumed in each bucket of $interval_s seconds (`at` is its start), by $by: 'run', 'task'
-- or 'tool'. A sample is spread evenly over its interval; what an ended execution used beyond its samples is spread
-- over the rest of its life: so the area is the run's total. rss_bytes is the mean over the bucket.
WITH e AS (
	SELECT *, CASE $by WHEN 'task' THEN task_id WHEN 'tool' THEN tool_name(tool, exe) ELSE run_id END AS key
	FROM executions WHERE run_id = $run
), sampled AS (
	SELECT e.key, host_id, pid, start_ns, image_seq, s.since_at, s.until_at,
		s.user_ns, s.kernel_ns, s.runnable_ns, s.rss_bytes, s.disk_read_bytes, s.disk_write_bytes,
		s.read_chars_bytes, s.write_chars_bytes
	FROM e JOIN samples AS s USING (host_id, pid, start_ns, image_seq)
), known AS (
	SELECT host_id, pid, start_ns, image_seq, max(until_at) AS until_at, arg_max(rss_bytes, until_at) AS rss_bytes,
		sum(user_ns) AS user_ns, sum(kernel_ns) AS kernel_ns, sum(runnable_ns) AS runnable_ns,
		sum(disk_read_bytes) AS disk_read_bytes, sum(disk_write_bytes) AS disk_write_bytes,
		sum(read_chars_bytes) AS read_chars_bytes, sum(write_chars_bytes) AS write_chars_bytes
	FROM sampled GROUP BY ALL
), rest AS (
	SELECT e.key, least(greatest(e.started_at, coalesce(k.until_at, e.started_at)), e.ended_at) AS since_at,
		e.ended_at AS until_at,
		greatest(e.user_ns - coalesce(k.user_ns, 0), 0) AS user_ns,
		greatest(e.kernel_ns - coalesce(k.kernel_ns, 0), 0) AS kernel_ns,
		greatest(e.runnable_ns - coalesce(k.runnable_ns, 0), 0) AS runnable_ns,
		coalesce(k.rss_bytes, e.rss_peak_bytes) AS rss_bytes,
		greatest(e.disk_read_bytes - coalesce(k.disk_read_bytes, 0), 0) AS disk_read_bytes,
		greatest(e.disk_write_bytes - coalesce(k.disk_write_bytes, 0), 0) AS disk_write_bytes,
		greatest(e.read_chars_bytes - coalesce(k.read_chars_bytes, 0), 0) AS read_chars_bytes,
		greatest(e.write_chars_bytes - coalesce(k.write_chars_bytes, 0), 0) AS write_chars_bytes
	FROM e LEFT JOIN known AS k USING (host_id, pid, start_ns, image_seq)
	WHERE e.status NOT IN ('running', 'lost')
), piece AS (
	SELECT * REPLACE (epoch_us(since_at) AS since_at, greatest(epoch_us(until_at), epoch_us(since_at) + 1) AS until_at)
	FROM (
		SELECT * EXCLUDE (host_id, pid, start_ns, image_seq) FROM sampled
		UNION ALL BY NAME SELECT * FROM rest
	)
	WHERE since_at IS NOT NULL AND until_at IS NOT NULL
), bucketed AS (
	SELECT *, ($interval_s * 1000000)::BIGINT AS width,
		unnest(range(since_at // width, (until_at - 1) // width + 1)) * width AS begins
	FROM piece
), shared AS (
	SELECT *, least(until_at, begins + width) - greatest(since_at, begins) AS us, us / (until_at - since_at) AS share
	FROM bucketed
)
SELECT make_timestamp(begins) AS "at", key,
	cut(round(sum(user_ns * share))) AS user_ns,
	cut(round(sum(kernel_ns * share))) AS kernel_ns,
	cut(round(sum(runnable_ns * share))) AS runnable_ns,
	cut(round(sum(rss_bytes * (us / width)))) AS rss_bytes,
	cut(round(sum(disk_read_bytes * share))) AS disk_read_bytes,
	cut(round(sum(disk_write_bytes * share))) AS disk_write_bytes,
	cut(round(sum(read_chars_bytes * share))) AS read_chars_bytes,
	cut(round(sum(write_chars_bytes * share))) AS write_chars_bytes
FROM shared GROUP BY begins, key ORDER BY begins, key;
