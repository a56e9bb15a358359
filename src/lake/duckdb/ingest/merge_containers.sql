-- SPDX-License-Identifier: Apache-2.0
-- Staged rows have each key once. A staged row that is older than the stored one is dropped, a newer one replaces it.
DELETE FROM staged_containers AS came USING containers AS held
WHERE came.host_id = held.host_id AND came.boot_id = held.boot_id AND came.cgroup_id = held.cgroup_id
	AND NOT supersedes(came.agent_id, came.boot_id, came.sequence, came.created_at,
		held.agent_id, held.boot_id, held.sequence, held.created_at);
DELETE FROM containers AS held USING staged_containers AS came
WHERE came.host_id = held.host_id AND came.boot_id = held.boot_id AND came.cgroup_id = held.cgroup_id;
INSERT INTO containers BY NAME FROM staged_containers;
TRUNCATE staged_containers;
