-- SPDX-License-Identifier: Apache-2.0
-- The volumes that providers list as attached to no machine, as of $now_at (NULL: now), and those that a waste is about which goes on (listed:
-- as of waste_machines).
SELECT account, provider, account_id, region, zone, id, name, volume_type, bytes, owner, tags, attached_to, created_at, first_listed_at,
	detached_since, least(listed_at, coalesce($now_at::TIMESTAMP, now_at())) AS listed_at,
	listed_of(gone_at, known_until, true, coalesce($now_at::TIMESTAMP, now_at())) AS listed
FROM inventory_volumes
WHERE (attached_to = '' AND detached_since <= coalesce($now_at::TIMESTAMP, now_at()) AND listed = 'now')
	OR id IN (SELECT id FROM wastes WHERE kind = 'volume_unused' AND ended_at IS NULL)
ORDER BY provider, account_id, region, id;
