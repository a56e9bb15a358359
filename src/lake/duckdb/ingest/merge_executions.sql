-- SPDX-License-Identifier: Apache-2.0
-- Staged rows have each key once. A staged row that is older than the stored one is dropped, a newer one replaces it.
DELETE FROM staged_executions AS came USING executions AS held
WHERE came.host_id = held.host_id AND came.pid = held.pid AND came.start_ns = held.start_ns AND came.image_seq = held.image_seq
	AND NOT supersedes(came.agent_id, came.boot_id, came.sequence, came.created_at,
		held.agent_id, held.boot_id, held.sequence, held.created_at);
DELETE FROM executions AS held USING staged_executions AS came
WHERE came.host_id = held.host_id AND came.pid = held.pid AND came.start_ns = held.start_ns AND came.image_seq = held.image_seq;
INSERT INTO executions BY NAME FROM staged_executions;
TRUNCATE staged_executions;
