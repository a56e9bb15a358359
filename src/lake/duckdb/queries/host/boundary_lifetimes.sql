-- SPDX-License-Identifier: Apache-2.0
-- From when to when the executions of a host with one of $pids ("12,13") ran, as far as is known (boundary.c).
SELECT pid, start_ns, image_seq, started_at, CASE WHEN status NOT IN ('running', 'lost') THEN ended_at END AS ended_at
FROM executions WHERE host_id = $host AND list_contains(string_split($pids, ','), pid::VARCHAR);
