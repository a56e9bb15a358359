-- SPDX-License-Identifier: Apache-2.0
-- Which run is a part of which, by the links that came (staged_links): one pair, the most trusted first. No row: none.
--
-- folder     a job of an engine, where that engine runs (on whichever host) with the same work folder at that time;
--            where several runs do, it is nobody's
-- workflow   nodes (pods) of one workflow of Argo's, within a day
-- job        two hosts' runs in one job of a scheduler (the jobs of an array are one)
-- container  two agents' runs in one container
-- trace      the same TRACER_TRACE_ID, overlapping or within a day; the same command, once the first had ended, is another run
--
-- Whose engine's job the other is leads; else who began first. A host's clock may be off: a minute is forgiven. What runs on a
-- host that has said nothing for ten minutes ran until its last word, as far as is known.
WITH came AS (
	SELECT DISTINCT kind, value FROM staged_links
), near AS (
	SELECT l.kind, l.value, l.lead, l.run_id FROM links AS l JOIN came USING (kind, value)
), known AS (
	SELECT l.kind, l.value, l.lead, l.run_id, coalesce(p.run_id, l.run_id) AS whole_id,
		r.host_id, r.engine, r.command, r.started_at,
		coalesce(r.ended_at, CASE WHEN h.seen_at < now_at() - INTERVAL 10 MINUTE THEN h.seen_at ELSE now_at() END) AS until_at
	FROM near AS l JOIN runs AS r USING (run_id) LEFT JOIN hosts AS h ON h.host_id = r.host_id
	LEFT JOIN parts AS p ON p.part_id = l.run_id
), pairs AS (
	SELECT a, b, (NOT a.lead, a.started_at, a.run_id) < (NOT b.lead, b.started_at, b.run_id) AS first
	FROM known AS a JOIN known AS b USING (kind, value)
	WHERE (a.run_id, a.kind, a.value) IN (SELECT (run_id, kind, value) FROM staged_links) AND a.whole_id <> b.whole_id
), ordered AS (
	SELECT CASE WHEN first THEN a ELSE b END AS head, CASE WHEN first THEN b ELSE a END AS part FROM pairs
), fitting AS (
	SELECT head, part, list_position(['folder', 'workflow', 'job', 'container', 'trace'], head.kind) AS trust
	FROM ordered
	WHERE part.run_id = part.whole_id AND CASE head.kind
		WHEN 'folder' THEN head.lead AND NOT part.lead AND head.engine = part.engine
			AND part.started_at BETWEEN head.started_at - INTERVAL 1 MINUTE AND head.until_at + INTERVAL 1 MINUTE
		WHEN 'workflow' THEN head.engine = part.engine
			AND part.started_at BETWEEN head.started_at - INTERVAL 1 DAY AND head.until_at + INTERVAL 1 DAY
		WHEN 'job' THEN head.host_id <> part.host_id
			AND part.started_at BETWEEN head.started_at - INTERVAL 1 DAY AND head.until_at + INTERVAL 1 DAY
		WHEN 'container' THEN head.host_id <> part.host_id
			AND part.started_at BETWEEN head.started_at - INTERVAL 1 MINUTE AND head.until_at + INTERVAL 1 MINUTE
		WHEN 'trace' THEN part.started_at BETWEEN head.started_at - INTERVAL 1 DAY AND head.until_at + INTERVAL 1 DAY
			AND NOT (head.command = part.command AND part.started_at > head.until_at)
		END
), clear AS (
	FROM fitting QUALIFY trust > 1 OR count(DISTINCT head.whole_id) OVER (PARTITION BY trust, part.run_id) = 1
)
SELECT part.whole_id AS part_id, head.whole_id AS run_id, head.kind AS reason, head.value AS value
FROM clear
ORDER BY trust, CASE WHEN head.kind = 'trace' THEN -epoch_us(head.started_at) ELSE epoch_us(head.started_at) END,
	part.started_at, part.run_id
LIMIT 1;
