-- SPDX-License-Identifier: Apache-2.0
-- Where a run is: the run as the agent of its own host reports it, and its parts on other hosts, each with the link that made it
-- a part.
SELECT r.run_id AS id, r.host_id, h.hostname AS host, r.engine, r.status, r.started_at, r.ended_at,
	nullif(p.reason, '') AS reason, nullif(p.value, '') AS value, p.joined_at, h.seen_at AS host_seen_at,
	CASE WHEN h.clock_error_ns > 0 THEN h.clock_offset_ns END AS clock_offset_ns, nullif(h.clock_error_ns, 0) AS clock_error_ns
FROM (
	SELECT $run AS part_id, '' AS reason, '' AS value, NULL::TIMESTAMP AS joined_at
	UNION ALL SELECT part_id, reason, value, joined_at FROM parts WHERE run_id = $run
) AS p JOIN runs AS r ON r.run_id = p.part_id LEFT JOIN hosts AS h USING (host_id)
ORDER BY p.reason <> '', r.started_at, r.run_id;
