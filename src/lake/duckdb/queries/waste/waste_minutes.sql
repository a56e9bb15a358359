-- SPDX-License-Identifier: Apache-2.0
-- Hosts by minute, those that begin at $since_at or later and before $now_at (NULL: no bound). lasted_s: that the samples cover; cpu,
-- tracked: shares of all CPUs, the former without the agent's own time; memory: the share in use, NULL: unknown. A minute in which no CPU
-- time was counted is left out.
SELECT host_id, "at", least(lasted_s, 60) AS lasted_s, cpu_ns / counted_ns AS cpu, tracked_ns / counted_ns AS tracked, memory,
	disk_bytes / lasted_s AS disk_bytes_s, net_bytes / lasted_s AS net_bytes_s
FROM host_minutes_between($since_at, $now_at)
ORDER BY host_id, "at";
