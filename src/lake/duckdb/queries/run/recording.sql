-- SPDX-License-Identifier: Apache-2.0
-- Which batches a recording of a run holds. inside: those that its hosts closed from a minute before it started until 15 s after
-- the last batch with a record of it; else older batches that brought the state of its containers, GPUs and links.
WITH ids AS (
	SELECT $run AS run_id UNION SELECT part_id FROM parts WHERE run_id = $run
), mine AS (
	SELECT host_id, boot_id, cgroup_id, started_at, created_at FROM executions WHERE run_id IN (FROM ids)
	UNION ALL SELECT host_id, boot_id, cgroup_id, started_at, created_at FROM tasks WHERE run_id IN (FROM ids)
	UNION ALL SELECT host_id, boot_id, 0, started_at, created_at FROM runs WHERE run_id IN (FROM ids)
), span AS (
	SELECT min(started_at) - INTERVAL 1 MINUTE AS since_at, max(created_at) + INTERVAL 15 SECOND AS until_at FROM mine
), state AS (
	SELECT agent_id, boot_id, sequence FROM containers
	WHERE (host_id, boot_id, cgroup_id) IN (SELECT (host_id, boot_id, cgroup_id) FROM mine)
	UNION SELECT agent_id, boot_id, sequence FROM gpus WHERE host_id IN (SELECT host_id FROM mine)
	UNION SELECT agent_id, boot_id, sequence FROM links WHERE run_id IN (FROM ids)
), ours AS (
	SELECT l.*, since_at, until_at, coalesce(l.created_at BETWEEN since_at AND until_at, false) AS inside
	FROM ledger AS l, span WHERE host_id IN (SELECT host_id FROM mine)
)
SELECT agent_id, boot_id, sequence, host_id, inside, since_at, max(created_at) FILTER (inside) OVER () AS last_at
FROM ours
WHERE inside OR (created_at < since_at AND (agent_id, boot_id, sequence) IN (SELECT (agent_id, boot_id, sequence) FROM state));
