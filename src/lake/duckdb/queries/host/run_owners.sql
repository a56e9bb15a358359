-- SPDX-License-Identifier: Apache-2.0
-- Of which host each of these runs is, if it is known ($runs: a JSON array of ids).
SELECT run_id, host_id FROM runs WHERE run_id IN (SELECT unnest(TRY_CAST(TRY_CAST($runs::VARCHAR AS JSON) AS VARCHAR[])));
