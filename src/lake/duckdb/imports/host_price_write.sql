-- SPDX-License-Identifier: Apache-2.0
-- A corrected price: it counts against all that was recorded before, and holds until another price is recorded.
INSERT INTO host_prices
SELECT host_id, $since_at::TIMESTAMP, recorded_from($now), $usd_hour, $source, 'corrected', provider, region, instance_type, purchase
FROM hosts WHERE host_id = $host;
