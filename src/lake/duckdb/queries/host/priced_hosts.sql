-- SPDX-License-Identifier: Apache-2.0
-- All hosts, with what their cost needs of them: in a tenth of the time of `hosts`.
SELECT h.host_id AS id, hostname, cpus, memory_bytes, nullif(instance_type, '') AS instance_type, nullif(provider, '') AS provider,
	nullif(region, '') AS region, nullif(zone, '') AS zone, nullif(instance_id, '') AS instance_id,
	nullif(account_id, '') AS account_id, nullif(purchase, '') AS purchase, coalesce(g.gpus, 0) AS gpus,
	nullif(price_usd_hour, 0) AS price_usd_hour
FROM hosts AS h LEFT JOIN (SELECT host_id, count(*) AS gpus FROM gpus GROUP BY host_id) AS g USING (host_id)
ORDER BY hostname, h.host_id;
