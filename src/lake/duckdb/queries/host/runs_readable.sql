-- SPDX-License-Identifier: Apache-2.0
-- Which of these runs ($runs: a JSON array of ids) $reader may read (may_read).
SELECT run_id FROM runs
WHERE run_id IN (SELECT unnest(TRY_CAST(TRY_CAST($runs::VARCHAR AS JSON) AS VARCHAR[])))
	AND may_read($reader::VARCHAR, "user", uid, labels);
