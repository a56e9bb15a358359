-- SPDX-License-Identifier: Apache-2.0
-- The figures of a host in one boot, which limit what its agent is believed (boundary.c).
SELECT cpus, memory_bytes, booted_at FROM hosts WHERE host_id = $host AND boot_id = $boot;
