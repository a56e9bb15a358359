-- SPDX-License-Identifier: Apache-2.0
-- Hosts by hour of UTC, those that begin at $since_at or later and end at $until_at or earlier (NULL: no bound). known_s: that the samples
-- cover; used_s: in which tracked work used it; peaks: of a minute; tracked: by
-- tracked work. (It reads each minute: to be asked for few days at a time.)
WITH used AS (
	SELECT host_id, since_at, until_at, unnest(generate_series(bucket_at(since_at, 3600), until_at, INTERVAL 1 HOUR)) AS "at"
	FROM used_between($since_at, $until_at)
), shares AS (
	SELECT host_id, "at", sum(seconds(greatest(since_at, "at"), least(until_at, "at" + INTERVAL 1 HOUR))) AS used_s
	FROM used GROUP BY host_id, "at"
)
SELECT host_id, "at", known_s, coalesce(used_s, 0) AS used_s, cpu_mean, cpu_peak, tracked_mean, tracked_peak,
	memory_peak, net_bytes
FROM (
	SELECT host_id, bucket_at("at", 3600) AS "at", sum(lasted_s) AS known_s, sum(cpu_ns) / sum(counted_ns) AS cpu_mean,
		max(cpu_ns / counted_ns) AS cpu_peak, sum(tracked_ns) / sum(counted_ns) AS tracked_mean,
		max(tracked_ns / counted_ns) AS tracked_peak, max(memory) AS memory_peak, sum(net_bytes) AS net_bytes
	FROM host_minutes_between(bucket_after(first_of($since_at), 3600), bucket_at(last_of($until_at), 3600))
	GROUP BY ALL
) LEFT JOIN shares USING (host_id, "at")
ORDER BY host_id, "at";
