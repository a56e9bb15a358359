-- SPDX-License-Identifier: Apache-2.0
-- What an hour of each host costs by time: until the next row of the host. since_at NULL: always; usd_hour NULL: unknown.
SELECT p.host_id, nullif(p.since_at, TIMESTAMP '1900-01-01') AS since_at, nullif(p.usd_hour, 0) AS usd_hour, nullif(p.source, '') AS source, p.reason
FROM host_price_times AS p JOIN hosts AS h USING (host_id)
ORDER BY h.hostname, p.host_id, p.since_at;
