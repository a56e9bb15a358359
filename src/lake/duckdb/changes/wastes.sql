-- SPDX-License-Identifier: Apache-2.0
-- Stores what a sweep found that is new or is not as it was (`found`, a list of rows of `wastes`), and what it does not find any more (`ended`,
-- a list of {"kind", "id", "ended_at", "outcome"}); instants are microseconds since the epoch. No time of a waste is in two rows: what is
-- found since before an earlier one of it ended (its host was cut off, and has sent since) had not ended.
DELETE FROM wastes WHERE ended_at IS NULL AND (kind, id) IN (
	SELECT (f->>'kind', f->>'id') FROM (SELECT unnest(from_json($found, '["JSON"]')) AS f));
INSERT INTO wastes BY NAME
SELECT f->>'kind' AS kind, f->>'id' AS id, make_timestamp((f->>'since_at')::BIGINT) AS since_at,
	make_timestamp((f->>'found_at')::BIGINT) AS found_at, NULL::TIMESTAMP AS ended_at, '' AS outcome, f->>'host_id' AS host_id,
	f->>'run_id' AS run_id,
	(f->>'usd_hour')::DOUBLE AS usd_hour, (f->>'counted_usd_hour')::DOUBLE AS counted_usd_hour, f->'document' AS document
FROM (SELECT unnest(from_json($found, '["JSON"]')) AS f);
DELETE FROM wastes USING (SELECT unnest(from_json($found, '["JSON"]')) AS f)
WHERE wastes.kind = (f->>'kind') AND wastes.id = (f->>'id') AND ended_at >= make_timestamp((f->>'since_at')::BIGINT)
	AND wastes.since_at >= make_timestamp((f->>'since_at')::BIGINT);
UPDATE wastes SET ended_at = make_timestamp((f->>'since_at')::BIGINT), outcome = 'replaced'
FROM (SELECT unnest(from_json($found, '["JSON"]')) AS f)
WHERE wastes.kind = (f->>'kind') AND wastes.id = (f->>'id') AND ended_at > make_timestamp((f->>'since_at')::BIGINT);
UPDATE wastes SET ended_at = make_timestamp((e->>'ended_at')::BIGINT), outcome = (e->>'outcome')
FROM (SELECT unnest(from_json($ended, '["JSON"]')) AS e)
WHERE wastes.ended_at IS NULL AND wastes.kind = (e->>'kind') AND wastes.id = (e->>'id');
DELETE FROM wastes WHERE ended_at < now_at() - INTERVAL 400 DAY;
