-- SPDX-License-Identifier: Apache-2.0
-- When tracked work used each host (used_times), between two instants (NULL: no bound), cut to them. Gaps of less than a second are closed.
WITH ran AS ( -- intervals that begin in the same second merge anyway: this leaves few rows to sort
	SELECT host_id, min(since_at) AS since_at, max(until_at) AS until_at FROM used_times() AS u
	WHERE ($since_at::TIMESTAMP IS NULL OR until_at > $since_at) AND ($until_at::TIMESTAMP IS NULL OR since_at < $until_at)
	GROUP BY host_id, epoch_us(u.since_at) // 1000000
), parted AS (
	SELECT *, since_at - max(until_at) OVER (PARTITION BY host_id ORDER BY since_at
			ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) > INTERVAL 1 SECOND AS is_gap
	FROM ran
), numbered AS (
	SELECT *, sum(coalesce(is_gap, false)::INTEGER) OVER (PARTITION BY host_id ORDER BY since_at
		ROWS UNBOUNDED PRECEDING) AS number
	FROM parted
)
SELECT host_id, greatest(min(since_at), $since_at::TIMESTAMP) AS since_at, least(max(until_at), $until_at::TIMESTAMP) AS until_at
FROM numbered GROUP BY host_id, number ORDER BY host_id, 2;
