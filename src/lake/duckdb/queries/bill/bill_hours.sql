-- SPDX-License-Identifier: Apache-2.0
-- What was billed for instances by invoice, instance and hour of UTC, of the hours that overlap two instants (NULL: no bound). Of an
-- instance that no agent reported, which may be most of a bill, all hours are one row, at the first of them.
WITH hours AS (
	FROM bill_hours_of($since_at, $until_at)
), known AS (
	SELECT DISTINCT instance_id FROM hosts WHERE instance_id <> ''
)
SELECT invoice, instance_id, hour_at, billed_nusd, effective_nusd, used_ns FROM hours SEMI JOIN known USING (instance_id)
UNION ALL
SELECT invoice, instance_id, min(hour_at), sum(billed_nusd)::BIGINT, sum(effective_nusd)::BIGINT, sum(used_ns)::BIGINT
FROM hours ANTI JOIN known USING (instance_id) GROUP BY invoice, instance_id
ORDER BY instance_id, hour_at, invoice;
