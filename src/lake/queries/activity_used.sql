-- When tracked processes ran on each host, between two instants (NULL: since ever, until now). Processes less than a
-- second apart are one interval.
WITH lives AS (
	SELECT host_id, started_at AS since_at, coalesce(ended_at, now_at()) AS until_at FROM execution_now
	WHERE started_at IS NOT NULL
), ran AS (
	SELECT *, since_at - max(until_at) OVER (PARTITION BY host_id ORDER BY since_at, until_at
			ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) > INTERVAL 1 SECOND AS anew
	FROM lives
	WHERE ($since_at::TIMESTAMP IS NULL OR until_at > $since_at) AND ($until_at::TIMESTAMP IS NULL OR since_at < $until_at)
), numbered AS (
	SELECT *, sum(coalesce(anew, false)::INTEGER) OVER (PARTITION BY host_id ORDER BY since_at, until_at
		ROWS UNBOUNDED PRECEDING) AS number
	FROM ran
)
SELECT host_id, min(since_at) AS since_at, max(until_at) AS until_at FROM numbered
GROUP BY host_id, number ORDER BY host_id, 2;
