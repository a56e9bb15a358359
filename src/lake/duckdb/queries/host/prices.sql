-- SPDX-License-Identifier: Apache-2.0
-- What an hour of each host costs now, since when, and why; usd_hour NULL: unknown. since_at NULL: always.
SELECT h.host_id AS id, h.hostname AS host, nullif(h.provider, '') AS provider, nullif(h.region, '') AS region,
	nullif(h.instance_type, '') AS instance_type, nullif(h.purchase, '') AS purchase, nullif(p.usd_hour, 0) AS usd_hour,
	nullif(p.source, '') AS source, p.reason, nullif(p.since_at, TIMESTAMP '1900-01-01') AS since_at
FROM hosts AS h LEFT JOIN host_price_now AS p USING (host_id)
ORDER BY h.hostname, h.host_id;
