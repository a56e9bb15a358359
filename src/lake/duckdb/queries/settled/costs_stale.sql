-- SPDX-License-Identifier: Apache-2.0
-- Settled runs of which the cost is to be looked at again: of the last ones those beside which others settled, and all behind a corrected price
-- or a bill.
WITH last AS (
	SELECT list(number) AS list FROM (SELECT number FROM kept_costs ORDER BY number DESC LIMIT 1000)
)
SELECT run_id FROM kept_costs WHERE checked_at <= changed_at OR number IN (FROM costs_beside((SELECT list FROM last)))
ORDER BY number DESC LIMIT $limit;
