-- SPDX-License-Identifier: Apache-2.0
-- The peers to which each step of runs made connections ('': of no task), and what the programs moved of which the last connection led
-- there; those that moved most first; at most $limit of a run.
WITH summed AS (
	SELECT n.run_id, coalesce(t.step, '') AS step, peer, sum(connects) AS connects, sum(rx_bytes::HUGEINT + tx_bytes) AS bytes
	FROM networks AS n LEFT JOIN task_steps_by_run(getvariable('runs')) AS t ON t.run_id = n.run_id AND t.task_id = n.task_id
	WHERE is_one_of(getvariable('runs'), n.run_id) AND peer <> ''
	GROUP BY ALL
)
SELECT run_id, step, peer, cut(connects) AS connects, cut(bytes) AS bytes FROM summed
QUALIFY row_number() OVER (PARTITION BY run_id ORDER BY summed.bytes DESC, step, peer) <= $limit
ORDER BY run_id, summed.bytes DESC, step, peer;
