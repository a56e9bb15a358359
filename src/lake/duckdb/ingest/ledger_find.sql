-- SPDX-License-Identifier: Apache-2.0
SELECT 1 FROM ledger WHERE host_id = $host_id AND agent_id = $agent_id AND boot_id = $boot_id AND sequence = $sequence;
