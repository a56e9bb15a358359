-- SPDX-License-Identifier: Apache-2.0
INSERT INTO ledger BY NAME
SELECT $agent_id AS agent_id, $boot_id AS boot_id, $sequence AS sequence, $host_id AS host_id,
	$created_at AS created_at, now_at() AS received_at, $records AS records;
