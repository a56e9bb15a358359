-- SPDX-License-Identifier: Apache-2.0
-- Staged rows have each key once. A staged row that is older than the stored one is dropped, a newer one replaces it. execution_key
-- identifies host, pid, start_ns and image_seq.
DELETE FROM staged_executions AS came USING executions AS held
WHERE came.execution_key = held.execution_key
	AND NOT supersedes(came.agent_id, came.boot_id, came.sequence, came.created_at,
		held.agent_id, held.boot_id, held.sequence, held.created_at);
DELETE FROM executions AS held USING staged_executions AS came WHERE came.execution_key = held.execution_key;
INSERT INTO executions BY NAME FROM staged_executions;
TRUNCATE staged_executions;
