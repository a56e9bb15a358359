-- SPDX-License-Identifier: Apache-2.0
-- The GPUs of the hosts of a run that have samples from while it lasted.
SELECT host_id, h.hostname AS host, uuid, "index", g.name, driver, nullif(g.memory_bytes, 0) AS memory_bytes,
	process_busy_known, g.seen_at, gone_at
FROM gpus AS g LEFT JOIN hosts AS h USING (host_id)
WHERE (host_id, uuid) IN (SELECT (host_id, uuid) FROM gpus_of_run($run, 1))
ORDER BY host, host_id, "index", uuid;
