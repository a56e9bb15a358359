-- SPDX-License-Identifier: Apache-2.0
-- How the columns of host_samples add up: growth is summed, levels are averaged, of peaks the largest counts.
CREATE OR REPLACE MACRO is_host_growth(name) AS name IN ('cpu_user_ns', 'cpu_kernel_ns', 'cpu_iowait_ns', 'cpu_steal_ns',
	'cpu_idle_ns', 'cpu_tracked_ns', 'disk_read_bytes', 'disk_write_bytes', 'disk_reads', 'disk_writes', 'disk_busy_ns',
	'net_rx_bytes', 'net_tx_bytes', 'cpu_pressure_ns', 'memory_pressure_ns', 'io_pressure_ns', 'agent_cpu_ns',
	'agent_programs_ns', 'cpu_pressure_full_ns', 'memory_pressure_full_ns', 'io_pressure_full_ns', 'block_requests',
	'block_tracked_requests');
CREATE OR REPLACE MACRO is_host_level(name) AS name IN ('memory_used_bytes', 'memory_available_bytes', 'swap_used_bytes',
	'tracked_processes', 'agent_rss_bytes');
CREATE OR REPLACE MACRO is_host_peak(name) AS name IN ('agent_map_bytes', 'agent_ring_bytes', 'agent_ring_peak_bytes',
	'agent_spool_bytes');
CREATE OR REPLACE MACRO is_host_figure(name) AS is_host_growth(name) OR is_host_level(name) OR is_host_peak(name);

-- The start of the bucket of so many seconds in which an instant is.
CREATE OR REPLACE MACRO bucket_at(instant, interval_s) AS
	make_timestamp(epoch_us(instant) // (interval_s::BIGINT * 1000000) * (interval_s::BIGINT * 1000000));
-- The first instant that begins such a bucket and is not before this one.
CREATE OR REPLACE MACRO bucket_after(instant, interval_s) AS
	bucket_at(instant + to_microseconds(interval_s::BIGINT * 1000000 - 1), interval_s);
CREATE OR REPLACE MACRO lasted_us(since_at, until_at) AS greatest(epoch_us(until_at) - epoch_us(since_at), 0);

-- Samples as rows of host_minutes: of one each.
CREATE OR REPLACE VIEW host_samples_apart AS
SELECT host_id, bucket_at(until_at, 60) AS "at", since_at, until_at, 1::BIGINT AS samples,
	coalesce(lasted_us(since_at, until_at), 0) AS lasted_us, COLUMNS(lambda f: is_host_figure(f))
FROM host_samples;
CREATE OR REPLACE VIEW host_samples_new_apart AS
SELECT host_id, bucket_at(until_at, 60) AS "at", since_at, until_at, 1::BIGINT AS samples,
	coalesce(lasted_us(since_at, until_at), 0) AS lasted_us, COLUMNS(lambda f: is_host_figure(f))
FROM host_samples_new WHERE until_at IS NOT NULL;

-- All samples as rows by minute, or finer; by hour, or finer.
CREATE OR REPLACE VIEW host_by_minute AS
FROM host_minutes UNION ALL BY NAME FROM host_samples_new_apart;
CREATE OR REPLACE VIEW host_by_hour AS
FROM host_hours UNION ALL BY NAME FROM host_minutes_new UNION ALL BY NAME FROM host_samples_new_apart;

-- The samples that overlap a time, as few rows: complete hours, the minutes before and after, and what is left as it is.
CREATE OR REPLACE MACRO hosts_between(since_, until_) AS TABLE
SELECT * FROM host_by_hour WHERE "at" >= bucket_after(since_, 3600) AND "at" < bucket_at(until_, 3600)
UNION ALL BY NAME
SELECT * FROM host_by_minute
WHERE "at" >= bucket_after(since_, 60) AND "at" < bucket_at(until_, 60)
	AND ("at" < bucket_after(since_, 3600) OR "at" >= bucket_at(until_, 3600))
UNION ALL BY NAME
SELECT * FROM host_samples_apart
WHERE until_at > since_ AND until_at < least(bucket_after(since_, 60), bucket_at(until_, 60)) AND since_at < until_
UNION ALL BY NAME
SELECT * FROM host_samples_apart WHERE until_at > since_ AND until_at >= bucket_at(until_, 60) AND since_at < until_;

-- The latest sample of each host.
CREATE OR REPLACE VIEW host_last AS
WITH last AS (
	SELECT host_id, max(until_at) AS until_at FROM host_samples_new GROUP BY host_id
), came AS (
	SELECT DISTINCT ON (host_id) s.* FROM host_samples_new AS s JOIN last USING (host_id, until_at)
)
SELECT l.* FROM host_latest AS l LEFT JOIN came AS c USING (host_id) WHERE c.until_at IS NULL OR c.until_at < l.until_at
UNION ALL BY NAME
SELECT c.* FROM came AS c LEFT JOIN host_latest AS l USING (host_id) WHERE l.until_at IS NULL OR l.until_at <= c.until_at;

-- In a file that is older than these tables.
INSERT INTO host_samples_new BY NAME SELECT * FROM host_samples WHERE NOT EXISTS (FROM host_rollups);
INSERT INTO host_rollups SELECT now_at() WHERE NOT EXISTS (FROM host_rollups);

-- Hosts by minute, those that begin within a time (NULL: no bound): what sweeps and the like look at, a row each. cpu_ns: without the
-- agent's own; memory: the share in use. Minutes in which no CPU time was counted are not known, and left out.
CREATE OR REPLACE MACRO host_minutes_between(since_, until_) AS TABLE
SELECT host_id, "at", sum(lasted_us) / 1e6 AS lasted_s,
	greatest(sum(cpu_user_ns) + sum(cpu_kernel_ns) - sum(agent_cpu_ns), 0)::DOUBLE AS cpu_ns, sum(cpu_tracked_ns)::DOUBLE AS tracked_ns,
	(sum(cpu_user_ns) + sum(cpu_kernel_ns) + sum(cpu_iowait_ns) + sum(cpu_steal_ns) + sum(cpu_idle_ns))::DOUBLE AS counted_ns,
	sum(memory_used_bytes) / nullif(sum(memory_used_bytes) + sum(memory_available_bytes), 0) AS memory,
	(sum(disk_read_bytes) + sum(disk_write_bytes))::DOUBLE AS disk_bytes, (sum(net_rx_bytes) + sum(net_tx_bytes))::DOUBLE AS net_bytes
FROM host_by_minute
WHERE "at" >= first_of(since_) AND "at" < last_of(until_)
GROUP BY host_id, "at" HAVING counted_ns > 0 AND lasted_s > 0;
