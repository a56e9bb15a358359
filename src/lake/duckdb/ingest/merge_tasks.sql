-- SPDX-License-Identifier: Apache-2.0
-- Each key once, as staged; what is older than what is held stays out.
DELETE FROM staged_tasks AS came USING tasks AS held
WHERE came.task_id = held.task_id
	AND NOT supersedes(came.agent_id, came.boot_id, came.sequence, came.created_at,
		held.agent_id, held.boot_id, held.sequence, held.created_at);
-- An agent that came again does not know when it was queued.
UPDATE staged_tasks AS came SET queued_at = held.queued_at FROM tasks AS held
WHERE came.task_id = held.task_id AND came.queued_at IS NULL AND held.queued_at IS NOT NULL;
DELETE FROM tasks AS held USING staged_tasks AS came
WHERE came.task_id = held.task_id;
INSERT INTO tasks BY NAME FROM staged_tasks;
TRUNCATE staged_tasks;
