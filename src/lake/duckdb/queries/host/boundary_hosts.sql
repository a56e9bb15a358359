-- SPDX-License-Identifier: Apache-2.0
-- The figures of hosts in their boots, which limit what their agents are believed (boundary.c): of one ($host and $boot), or
-- where these are NULL of $limit hosts.
SELECT host_id, boot_id, cpus, memory_bytes, booted_at FROM hosts
WHERE ($host::VARCHAR IS NULL OR host_id = $host::VARCHAR) AND ($boot::VARCHAR IS NULL OR boot_id = $boot::VARCHAR)
LIMIT $limit;
