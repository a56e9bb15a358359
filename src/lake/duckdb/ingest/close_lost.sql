-- SPDX-License-Identifier: Apache-2.0
-- Marks as lost what ended unseen: it is stored as running, and the last batch with a record of it was closed before the last
-- scan of its host began. Runs after each batch with a scan. The time of the end is unknown; it was alive when that batch was
-- closed (execution_now_of has a later time, from samples). The last scan is the one that arrived last: a clock that was ahead and is
-- set back must not make scans of before count for as long.
UPDATE executions SET status = 'lost', ended_at = greatest(executions.started_at, executions.created_at)
FROM (SELECT host_id, arg_max(scanned_at, rowid) AS scanned_at FROM scans GROUP BY host_id) AS last
WHERE executions.host_id = last.host_id AND status = 'running' AND executions.created_at < last.scanned_at;
UPDATE tasks SET status = 'lost', ended_at = greatest(tasks.started_at, tasks.created_at)
FROM (SELECT host_id, arg_max(scanned_at, rowid) AS scanned_at FROM scans GROUP BY host_id) AS last
WHERE tasks.host_id = last.host_id AND status = 'running' AND tasks.created_at < last.scanned_at;
UPDATE runs SET status = 'lost', ended_at = greatest(runs.started_at, runs.created_at)
FROM (SELECT host_id, arg_max(scanned_at, rowid) AS scanned_at FROM scans GROUP BY host_id) AS last
WHERE runs.host_id = last.host_id AND status = 'running' AND runs.created_at < last.scanned_at;
