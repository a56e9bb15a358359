-- SPDX-License-Identifier: Apache-2.0
-- What run_match.c compares when batches ($batches: a JSON array) brought new links: the runs of these links, and of the links
-- with the same kind and value that were there before, one row a link. merged_id: the run that it is a part of, else itself.
-- A link counts only if the host of the run sent it. A run of a host that sent nothing for ten minutes counts until then. Left out are runs too far apart in time for any rule, and,
-- of many jobs in one folder, those that are jobs as well.
WITH came AS (
	SELECT host_id, run_id, kind, value FROM links SEMI JOIN (
		SELECT unnest(TRY_CAST(TRY_CAST($batches::VARCHAR AS JSON)
			AS STRUCT(agent_id VARCHAR, boot_id VARCHAR, sequence BIGINT)[]), recursive := true)
	) USING (agent_id, boot_id, sequence)
), near AS (
	SELECT kind, value, lead, host_id, run_id,
		(host_id, run_id, kind, value) IN (SELECT (host_id, run_id, kind, value) FROM came) AS is_new
	FROM links SEMI JOIN came USING (kind, value)
), known AS (
	SELECT l.kind, l.value, l.run_id, coalesce(p.run_id, l.run_id) AS merged_id, l.lead, l.is_new, r.host_id, r.engine,
		md5(r.command) AS command_digest, r.started_at,
		coalesce(r.ended_at, CASE WHEN h.seen_at < now_at() - INTERVAL 10 MINUTE THEN h.seen_at ELSE now_at() END) AS until_at
	FROM near AS l JOIN runs AS r USING (host_id, run_id) LEFT JOIN hosts AS h ON h.host_id = r.host_id
	LEFT JOIN parts AS p ON p.part_id = l.run_id
)
SELECT * FROM known WHERE is_new
UNION ALL
SELECT b.* FROM known AS b SEMI JOIN known AS a
	ON a.is_new AND b.kind = a.kind AND b.value = a.value AND (b.kind <> 'folder' OR b.lead <> a.lead)
	AND (b.started_at BETWEEN a.started_at - INTERVAL 1 DAY AND a.until_at + INTERVAL 1 DAY
		OR a.started_at BETWEEN b.started_at - INTERVAL 1 DAY AND b.until_at + INTERVAL 1 DAY)
WHERE NOT b.is_new;
