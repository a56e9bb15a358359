-- SPDX-License-Identifier: Apache-2.0
-- What was billed for instances by invoice, instance and hour of UTC, of the hours that overlap two instants (NULL: no bound).
SELECT invoice, instance_id, hour_at, billed_nusd, effective_nusd, used_ns, bill_id
FROM bill_hours_of($since_at, $until_at) ORDER BY instance_id, hour_at, invoice;
