-- SPDX-License-Identifier: Apache-2.0
-- All hosts, with what a bill needs of them: in a tenth of the time of `hosts`.
SELECT host_id AS id, hostname, cpus, memory_bytes, nullif(instance_type, '') AS instance_type, nullif(provider, '') AS provider,
	nullif(region, '') AS region, nullif(price_usd_hour, 0) AS price_usd_hour
FROM hosts ORDER BY hostname, host_id;
