-- SPDX-License-Identifier: Apache-2.0
-- What sweeps found: what is found still, and what ended since $since_at (NULL: only the former). up_again_at: when the host of one that was
-- stopped was up again first, or, where it was only cut off and has sent since, that end. host_seen_at: when its host was alive last.
SELECT kind, id, w.since_at, found_at, ended_at, outcome, host_id, usd_hour, counted_usd_hour, document->>'subject' AS subject,
	coalesce((document->>'paid_share')::DOUBLE, 1) AS paid_share, document->>'name' AS name, run_id, document->>'task_id' AS task_id, document->>'who' AS who,
	document->>'confidence' AS confidence, document->>'summary' AS summary, document->'evidence' AS evidence,
	document->>'advice' AS advice, document->>'command' AS command, u.up_again_at,
	h.seen_at AS host_seen_at
FROM wastes AS w
LEFT JOIN LATERAL (
	SELECT min(greatest(u.since_at, w.ended_at)) AS up_again_at FROM host_up AS u
	WHERE w.outcome = 'stopped' AND u.host_id = w.host_id
		AND (u.since_at > w.ended_at OR u.until_at > w.ended_at + INTERVAL 15 MINUTE) -- its last samples may have come later
) AS u ON true
LEFT JOIN (SELECT host_id, seen_at FROM hosts) AS h USING (host_id)
WHERE ended_at IS NULL OR ended_at >= $since_at
ORDER BY ended_at IS NOT NULL, usd_hour DESC NULLS LAST, kind, id, w.since_at
LIMIT $limit;
