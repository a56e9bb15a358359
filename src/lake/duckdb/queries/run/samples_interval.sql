-- SPDX-License-Identifier: Apache-2.0
-- How long the buckets of the samples of a run should be, in seconds: a round number, with at most 400 buckets.
SELECT coalesce(
	list_min(list_filter([1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400],
		lambda length: length * 399 >= wall_s)),
	ceil(wall_s / 399))::BIGINT AS interval_s
FROM (SELECT seconds(started_at, ended_at) AS wall_s FROM span_of($run));
