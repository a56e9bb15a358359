-- SPDX-License-Identifier: Apache-2.0
-- What is known of a host in one boot: by it records are believed or not (boundary.c).
SELECT cpus, memory_bytes, booted_at FROM hosts WHERE host_id = $host AND boot_id = $boot;
