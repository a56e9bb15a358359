-- SPDX-License-Identifier: Apache-2.0
-- Staged rows have each key once. A staged row that is older than the stored one is dropped, a newer one replaces it.
DELETE FROM staged_networks AS came USING networks AS held
WHERE came.host_id = held.host_id AND came.pid = held.pid AND came.start_ns = held.start_ns AND came.image_seq = held.image_seq
	AND came.family = held.family AND came.protocol = held.protocol AND came.loopback = held.loopback
	AND NOT supersedes(came.agent_id, came.boot_id, came.sequence, came.created_at,
		held.agent_id, held.boot_id, held.sequence, held.created_at);
DELETE FROM networks AS held USING staged_networks AS came
WHERE came.host_id = held.host_id AND came.pid = held.pid AND came.start_ns = held.start_ns AND came.image_seq = held.image_seq
	AND came.family = held.family AND came.protocol = held.protocol AND came.loopback = held.loopback;
INSERT INTO networks BY NAME FROM staged_networks;
TRUNCATE staged_networks;
