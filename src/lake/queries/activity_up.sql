-- When each host was seen up between two instants (NULL: since ever, until now). Samples less than a minute apart are
-- one interval.
WITH seen AS (
	SELECT host_id, since_at, until_at,
		since_at - max(until_at) OVER (PARTITION BY host_id ORDER BY since_at, until_at
			ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) > INTERVAL 1 MINUTE AS anew
	FROM host_samples
	WHERE ($since_at::TIMESTAMP IS NULL OR until_at > $since_at) AND ($until_at::TIMESTAMP IS NULL OR since_at < $until_at)
), numbered AS (
	SELECT *, sum(coalesce(anew, false)::INTEGER) OVER (PARTITION BY host_id ORDER BY since_at, until_at
		ROWS UNBOUNDED PRECEDING) AS number
	FROM seen
)
SELECT host_id, min(since_at) AS since_at, max(until_at) AS until_at FROM numbered
GROUP BY host_id, number ORDER BY host_id, 2;
