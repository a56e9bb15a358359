-- SPDX-License-Identifier: Apache-2.0
-- Settled runs of which the cost is to be looked at again.
SELECT run_id FROM kept_costs WHERE NOT is_current ORDER BY run_id LIMIT $limit;
