-- SPDX-License-Identifier: Apache-2.0
-- Staged rows have each key once. A staged row that is older than the stored one is dropped, a newer one replaces it.
DELETE FROM staged_hosts AS came USING hosts AS held
WHERE came.host_id = held.host_id
	AND NOT supersedes(came.agent_id, came.boot_id, came.sequence, came.created_at,
		held.agent_id, held.boot_id, held.sequence, held.created_at);
DELETE FROM hosts AS held USING staged_hosts AS came
WHERE came.host_id = held.host_id;
INSERT INTO hosts BY NAME FROM staged_hosts;
TRUNCATE staged_hosts;
