-- SPDX-License-Identifier: Apache-2.0
-- The machines that providers list as running, as of $now_at (NULL: now). Left out is what is not known any more, since a listing that was
-- due did not come. has_agent: a host of this id, or of this name where the agent knows no id, was seen within the last hour of the listing.
WITH machines AS (
	SELECT *, least(listed_at, coalesce($now_at::TIMESTAMP, now_at())) AS known_at FROM inventory_machines
	WHERE state = 'running' AND first_listed_at <= coalesce($now_at::TIMESTAMP, now_at())
		AND known_until >= coalesce($now_at::TIMESTAMP, now_at()) AND (gone_at IS NULL OR gone_at > $now_at::TIMESTAMP)
), seen AS (
	SELECT h.host_id, h.instance_id, lower(split_part(h.hostname, '.', 1)) AS short, greatest(h.seen_at, last.until_at) AS seen_at
	FROM hosts AS h LEFT JOIN host_last AS last USING (host_id)
)
SELECT account, m.provider, account_id, m.region, zone, id, name, m.hostname, m.instance_type, m.purchase, image, kept_by, owner, tags,
	launched_at, first_listed_at, known_at AS listed_at,
	EXISTS (FROM seen AS s WHERE s.seen_at >= m.known_at - INTERVAL 1 HOUR AND (s.instance_id = m.id
		OR (s.instance_id = '' AND m.hostname <> '' AND s.short = lower(split_part(m.hostname, '.', 1))))) AS has_agent,
	nullif(machine_price(m.hostname, m.provider, m.region, m.instance_type, m.purchase, 0::DOUBLE, coalesce(l.usd_hour, 0),
		coalesce(l.source, '')).usd_hour, 0) AS usd_hour
FROM machines AS m LEFT JOIN list_prices AS l ON l.provider = m.provider AND l.region = m.region AND l.instance_type = m.instance_type
	AND l.purchase = m.purchase
ORDER BY m.provider, account_id, m.region, id;
