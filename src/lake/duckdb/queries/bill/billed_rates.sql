-- SPDX-License-Identifier: Apache-2.0
-- What an hour of an instance was billed at, and effectively cost (with the part of commitments that it used), by instance and hour of
-- UTC, from all bills in USD that count, of instances that an agent reported. An hour that was billed for a part of it has the rate of a whole one. bill: the name of the
-- last file.
WITH hours AS (
	SELECT instance_id, hour_at, sum(effective_nusd)::HUGEINT AS effective, sum(billed_nusd)::HUGEINT AS billed,
		sum(used_ns)::HUGEINT AS used, max(bill_name) AS bill
	FROM bill_hours_of($since_at, $until_at) SEMI JOIN (SELECT DISTINCT instance_id FROM hosts WHERE instance_id <> '')
		USING (instance_id)
	GROUP BY instance_id, hour_at
)
SELECT instance_id, hour_at, greatest(0, (effective * 7200000000000 + used) // (2 * used))::BIGINT AS effective_nusd_hour,
	greatest(0, (billed * 7200000000000 + used) // (2 * used))::BIGINT AS billed_nusd_hour, used / 3600e9 AS hours, bill
FROM hours WHERE used > 0 ORDER BY instance_id, hour_at;
