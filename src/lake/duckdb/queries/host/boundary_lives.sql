-- SPDX-License-Identifier: Apache-2.0
-- From when to when a host's executions with one of $pids ("12,13") lived, as far as is known (boundary.c).
SELECT pid, start_ns, image_seq, started_at, CASE WHEN status NOT IN ('running', 'lost') THEN ended_at END AS ended_at
FROM executions WHERE host_id = $host AND list_contains(string_split($pids, ','), pid::VARCHAR);
