-- SPDX-License-Identifier: Apache-2.0
-- Hosts of a store that an earlier version made have no price by time: what is known of them holds for all of their time. What is not known
-- now may be known to who opens the store next, or when the host reports itself.
INSERT INTO host_prices
SELECT host_id, NULL, now_at(), price.usd_hour, price.source, 'reported', provider, region, instance_type, purchase
FROM (
	SELECT *, machine_price(hostname, provider, region, instance_type, purchase, price_usd_hour, 0::DOUBLE, '') AS price
	FROM hosts ANTI JOIN host_prices USING (host_id)
)
WHERE price.usd_hour > 0;
