-- SPDX-License-Identifier: Apache-2.0
-- Which batches are stored: the sequences of each agent and boot, as ranges without a gap (tables/ledger.sql).
CREATE OR REPLACE VIEW stored_ranges AS
WITH parts AS (
	FROM ledger_ranges
	UNION ALL
	SELECT host_id, agent_id, boot_id, sequence, sequence FROM ledger
	WHERE batch_key > (SELECT coalesce(max(batch_key), 0) FROM ledger_folded)
), ordered AS (
	SELECT *, first > 1 + max(last) OVER (PARTITION BY host_id, agent_id, boot_id ORDER BY first
		ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS is_gap
	FROM parts
), numbered AS (
	SELECT *, sum(coalesce(is_gap, false)::INTEGER) OVER (PARTITION BY host_id, agent_id, boot_id ORDER BY first
		ROWS UNBOUNDED PRECEDING) AS number
	FROM ordered
)
SELECT host_id, agent_id, boot_id, min(first) AS first, max(last) AS last
FROM numbered GROUP BY host_id, agent_id, boot_id, number;
