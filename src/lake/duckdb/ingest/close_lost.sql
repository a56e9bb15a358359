-- SPDX-License-Identifier: Apache-2.0
-- Marks as lost what ended unseen: it is held as running, and the last batch that told of it was closed before its
-- host's last scan began. Runs after each batch that brings a scan. When it ended is not known; it was alive when that
-- batch was closed (execution_now knows more, from samples).
UPDATE executions SET status = 'lost', ended_at = greatest(executions.started_at, executions.created_at)
FROM (SELECT host_id, max(scanned_at) AS scanned_at FROM scans GROUP BY host_id) AS last
WHERE executions.host_id = last.host_id AND status = 'running' AND executions.created_at < last.scanned_at;
UPDATE tasks SET status = 'lost', ended_at = greatest(tasks.started_at, tasks.created_at)
FROM (SELECT host_id, max(scanned_at) AS scanned_at FROM scans GROUP BY host_id) AS last
WHERE tasks.host_id = last.host_id AND status = 'running' AND tasks.created_at < last.scanned_at;
UPDATE runs SET status = 'lost', ended_at = greatest(runs.started_at, runs.created_at)
FROM (SELECT host_id, max(scanned_at) AS scanned_at FROM scans GROUP BY host_id) AS last
WHERE runs.host_id = last.host_id AND status = 'running' AND runs.created_at < last.scanned_at;
