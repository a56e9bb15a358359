-- SPDX-License-Identifier: Apache-2.0
-- The volumes that providers list as attached to no machine, as of $now_at (NULL: now). Left out is what is not known any more.
SELECT account, provider, account_id, region, zone, id, name, volume_type, bytes, owner, tags, created_at, first_listed_at, detached_since,
	least(listed_at, coalesce($now_at::TIMESTAMP, now_at())) AS listed_at
FROM inventory_volumes
WHERE attached_to = '' AND detached_since <= coalesce($now_at::TIMESTAMP, now_at())
	AND known_until >= coalesce($now_at::TIMESTAMP, now_at()) AND (gone_at IS NULL OR gone_at > $now_at::TIMESTAMP)
ORDER BY provider, account_id, region, id;
