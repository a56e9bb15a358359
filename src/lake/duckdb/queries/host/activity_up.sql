-- SPDX-License-Identifier: Apache-2.0
-- When each host was up, by its samples: the times that overlap two instants (NULL: no bound). Gaps of at most a minute are closed: there
-- are none in host_up, so only the times of hosts with samples that are not in it are looked at.
WITH came AS ( -- intervals that begin in the same minute merge anyway: this leaves few rows to sort
	SELECT host_id, min(s.since_at) AS since_at, max(s.until_at) AS until_at FROM host_samples_new AS s
	WHERE s.since_at IS NOT NULL AND s.until_at IS NOT NULL
		AND ($since_at::TIMESTAMP IS NULL OR s.until_at > $since_at)
		AND ($until_at::TIMESTAMP IS NULL OR s.since_at < $until_at)
	GROUP BY host_id, epoch_us(s.since_at) // 60000000
), held AS (
	SELECT host_id, since_at, until_at FROM host_up
	WHERE ($since_at::TIMESTAMP IS NULL OR until_at > $since_at) AND ($until_at::TIMESTAMP IS NULL OR since_at < $until_at)
), seen AS (
	FROM came UNION ALL FROM held SEMI JOIN came USING (host_id)
), parted AS (
	SELECT *, since_at - max(until_at) OVER (PARTITION BY host_id ORDER BY since_at
			ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) > INTERVAL 1 MINUTE AS is_gap
	FROM seen
), numbered AS (
	SELECT *, sum(coalesce(is_gap, false)::INTEGER) OVER (PARTITION BY host_id ORDER BY since_at
		ROWS UNBOUNDED PRECEDING) AS number
	FROM parted
)
FROM held ANTI JOIN came USING (host_id)
UNION ALL
SELECT host_id, min(since_at) AS since_at, max(until_at) AS until_at FROM numbered GROUP BY host_id, number
ORDER BY host_id, since_at;
