-- SPDX-License-Identifier: Apache-2.0
-- A listing of an account. What a region lists no more is gone only where its part is complete.
UPDATE inventory_machines AS held SET account = $account, zone = came.zone, name = came.name, hostname = came.hostname,
	instance_type = came.type, purchase = came.purchase, image = came.image, state = came.state, kept_by = came.kept_by,
	owner = came.owner, tags = came.tags, launched_at = came.launched_at, listed_at = $now, known_until = $known_until, gone_at = NULL
FROM import_rows AS came
WHERE kind = 'machine' AND held.provider = $provider
	AND (held.account_id, held.region, held.id) = (came.account_id, came.region, came.id);
INSERT INTO inventory_machines BY NAME
SELECT $provider AS provider, account_id, region, id, $account AS account, zone, name, hostname, type AS instance_type, purchase, image, state,
	kept_by, owner, tags, launched_at, $now AS first_listed_at, $now AS listed_at, $known_until AS known_until
FROM import_rows AS came
WHERE kind = 'machine' AND NOT EXISTS (FROM inventory_machines AS held WHERE held.provider = $provider
	AND (held.account_id, held.region, held.id) = (came.account_id, came.region, came.id));
UPDATE inventory_machines AS held SET gone_at = $now FROM import_rows AS part
WHERE kind = 'region' AND what = 'machines' AND complete AND held.provider = $provider AND held.account = $account
	AND (held.account_id, held.region) = (part.account_id, part.region) AND held.gone_at IS NULL AND held.listed_at <> $now;
UPDATE inventory_volumes AS held SET account = $account, zone = came.zone, name = came.name, volume_type = came.type, bytes = came.bytes,
	attached_to = came.attached_to, owner = came.owner, tags = came.tags, created_at = came.created_at,
	detached_since = CASE WHEN came.attached_to = '' THEN coalesce(CASE WHEN came.detached_at < $now THEN came.detached_at END, held.detached_since, $now) END,
	listed_at = $now, known_until = $known_until, gone_at = NULL
FROM import_rows AS came
WHERE kind = 'volume' AND held.provider = $provider
	AND (held.account_id, held.region, held.id) = (came.account_id, came.region, came.id);
INSERT INTO inventory_volumes BY NAME
SELECT $provider AS provider, account_id, region, id, $account AS account, zone, name, type AS volume_type, bytes, attached_to, owner, tags,
	created_at, CASE WHEN attached_to = '' THEN least(coalesce(detached_at, $now), $now) END AS detached_since, $now AS first_listed_at, $now AS listed_at,
	$known_until AS known_until
FROM import_rows AS came
WHERE kind = 'volume' AND NOT EXISTS (FROM inventory_volumes AS held WHERE held.provider = $provider
	AND (held.account_id, held.region, held.id) = (came.account_id, came.region, came.id));
UPDATE inventory_volumes AS held SET gone_at = $now FROM import_rows AS part
WHERE kind = 'region' AND what = 'volumes' AND complete AND held.provider = $provider AND held.account = $account
	AND (held.account_id, held.region) = (part.account_id, part.region) AND held.gone_at IS NULL AND held.listed_at <> $now;
DELETE FROM inventory_parts AS held USING import_rows AS part
WHERE kind IN ('region', 'listing') AND held.account = $account AND (held.account_id, held.region, held.what) = (part.account_id, part.region, part.what);
INSERT INTO inventory_parts
SELECT $account, $provider, account_id, region, what, $now, complete, error FROM import_rows WHERE kind IN ('region', 'listing');
-- What is over, or was not listed for a month.
DELETE FROM inventory_machines WHERE least(coalesce(gone_at, known_until), known_until) < $now - INTERVAL 30 DAY;
DELETE FROM inventory_volumes WHERE least(coalesce(gone_at, known_until), known_until) < $now - INTERVAL 30 DAY;
DELETE FROM inventory_parts WHERE listed_at < $now - INTERVAL 30 DAY;
