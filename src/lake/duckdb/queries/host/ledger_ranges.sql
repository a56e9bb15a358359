-- SPDX-License-Identifier: Apache-2.0
-- Which batches are stored: the sequences of each agent and boot, as ranges without a gap.
FROM stored_ranges ORDER BY host_id, agent_id, boot_id, first;
