-- SPDX-License-Identifier: Apache-2.0
-- The machines that providers list as running, as of $now_at (NULL: now), and those that a waste is about which goes on: listed says whether
-- the provider has them still (now), or not (gone: it does not run), or whether that is not known, since a listing that was due did not come
-- (unknown). has_agent: a host of this id, or of this name where the agent knows no id, was seen within the last hour of the listing.
WITH machines AS (
	SELECT *, least(listed_at, coalesce($now_at::TIMESTAMP, now_at())) AS known_at,
		listed_of(gone_at, known_until, state = 'running', coalesce($now_at::TIMESTAMP, now_at())) AS listed
	FROM inventory_machines
	WHERE first_listed_at <= coalesce($now_at::TIMESTAMP, now_at())
		AND (listed = 'now' OR id IN (SELECT id FROM wastes WHERE kind = 'machine_without_agent' AND ended_at IS NULL))
), seen AS (
	SELECT h.host_id, h.instance_id, lower(split_part(h.hostname, '.', 1)) AS short, greatest(h.seen_at, last.until_at) AS seen_at
	FROM hosts AS h LEFT JOIN host_last AS last USING (host_id)
)
SELECT account, m.provider, account_id, m.region, zone, id, name, m.hostname, m.instance_type, m.purchase, image, kept_by, owner, tags,
	launched_at, first_listed_at, known_at AS listed_at, listed,
	EXISTS (FROM seen AS s WHERE s.seen_at >= m.known_at - INTERVAL 1 HOUR AND (s.instance_id = m.id
		OR (s.instance_id = '' AND m.hostname <> '' AND s.short = lower(split_part(m.hostname, '.', 1))))) AS has_agent,
	nullif(machine_price(m.hostname, m.provider, m.region, m.instance_type, m.purchase, 0::DOUBLE, coalesce(l.usd_hour, 0),
		coalesce(l.source, '')).usd_hour, 0) AS usd_hour
FROM machines AS m LEFT JOIN list_prices AS l ON l.provider = m.provider AND l.region = m.region AND l.instance_type = m.instance_type
	AND l.purchase = m.purchase
ORDER BY m.provider, account_id, m.region, id;
