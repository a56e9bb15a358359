-- SPDX-License-Identifier: Apache-2.0
DELETE FROM list_prices AS held USING import_rows AS came
WHERE (held.provider, held.region, held.instance_type, held.purchase) = (came.provider, came.region, came.instance_type, came.purchase);
INSERT INTO list_prices
SELECT provider, region, instance_type, purchase, usd_hour, $valid_from::TIMESTAMP, $list, $now FROM import_rows;
-- From now on, also of hosts that report nothing about themselves for a while; not before, and not of corrected times.
INSERT INTO host_prices
SELECT host_id, greatest($now, last.since_at), recorded_from($now), price.usd_hour, price.source, 'reported', provider, region, instance_type, purchase
FROM (
	SELECT h.*, last,
		machine_price(h.hostname, h.provider, h.region, h.instance_type, h.purchase, h.price_usd_hour, l.usd_hour, l.source) AS price
	FROM hosts AS h JOIN list_prices AS l ON l.provider = h.provider AND l.region = h.region AND l.instance_type = h.instance_type
		AND l.purchase = listed_as(h.purchase) AND l.imported_at = $now
	JOIN (
		SELECT host_id, arg_max({ usd_hour: usd_hour, source: source, since_at: since_at }, recorded_at) AS last
		FROM host_prices WHERE reason = 'reported' GROUP BY host_id
	) USING (host_id)
)
WHERE last.usd_hour <> price.usd_hour OR last.source <> price.source;
