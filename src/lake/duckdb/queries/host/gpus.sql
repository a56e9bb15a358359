-- SPDX-License-Identifier: Apache-2.0
-- The GPUs of a host ($host: its id), removed ones last.
SELECT uuid, "index", name, driver, nullif(memory_bytes, 0) AS memory_bytes, process_busy_known, seen_at, gone_at
FROM gpus
WHERE host_id = $host
ORDER BY gone_at NULLS FIRST, "index", uuid;
