-- SPDX-License-Identifier: Apache-2.0
-- GPUs of hosts over time: the samples that overlap an interval, each in the bucket of interval_s seconds in which it ended (`at`
-- is the start of the first). Growth is summed over the bucket, levels are averaged, of peaks the largest counts; sample_s is the
-- time that the samples cover. What the driver did not report is NULL.
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

-- The GPUs of the hosts of a run while it lasted.
CREATE OR REPLACE MACRO gpus_of_run(run, interval_s) AS TABLE
FROM gpus_over((SELECT list(host_id) FROM (
		SELECT host_id FROM executions WHERE run_id = run UNION SELECT host_id FROM runs WHERE run_id = run)),
	(SELECT started_at FROM span_of(run)), (SELECT ended_at FROM span_of(run)), interval_s);
