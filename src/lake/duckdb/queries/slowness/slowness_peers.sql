-- SPDX-License-Identifier: Apache-2.0
-- The peers to which each step of a run made connections ('': of no task), and what the programs moved of which the last connection led
-- there; those that moved most first.
SELECT coalesce(t.step, '') AS step, peer, cut(sum(connects)) AS connects, cut(sum(rx_bytes::HUGEINT + tx_bytes)) AS bytes
FROM networks AS n LEFT JOIN task_steps_of($run) AS t ON t.task_id = n.task_id
WHERE run_id = $run AND peer <> ''
GROUP BY ALL ORDER BY sum(rx_bytes::HUGEINT + tx_bytes) DESC, step, peer LIMIT $limit;
