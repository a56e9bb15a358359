-- SPDX-License-Identifier: Apache-2.0
-- Which batches are stored: the sequences of each agent and boot, as ranges without a gap.
SELECT host_id, agent_id, boot_id, min(sequence) AS first, max(sequence) AS last
FROM (
	SELECT host_id, agent_id, boot_id, sequence,
		sequence - row_number() OVER (PARTITION BY host_id, agent_id, boot_id ORDER BY sequence) AS island
	FROM ledger
)
GROUP BY host_id, agent_id, boot_id, island;
