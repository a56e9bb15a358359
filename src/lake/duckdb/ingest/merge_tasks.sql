-- SPDX-License-Identifier: Apache-2.0
-- Staged rows have each key once. A staged row that is older than the stored one is dropped, a newer one replaces it. A row
-- of another host never does: an id belongs to the host that stored it first.
DELETE FROM staged_tasks AS came USING tasks AS held
WHERE came.task_id = held.task_id
	AND (came.host_id <> held.host_id OR NOT supersedes(came.agent_id, came.boot_id, came.sequence, came.created_at,
		held.agent_id, held.boot_id, held.sequence, held.created_at));
-- A restarted agent does not know when the task was queued.
UPDATE staged_tasks AS came SET queued_at = held.queued_at FROM tasks AS held
WHERE came.task_id = held.task_id AND came.queued_at IS NULL AND held.queued_at IS NOT NULL;
DELETE FROM tasks AS held USING staged_tasks AS came
WHERE came.task_id = held.task_id;
INSERT INTO tasks BY NAME FROM staged_tasks;
TRUNCATE staged_tasks;
