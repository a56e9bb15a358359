-- SPDX-License-Identifier: Apache-2.0
-- What settled runs cost when that was looked at last (server/billing/kept_cost.h), and whether no price was corrected and no bill imported
-- since.
CREATE OR REPLACE VIEW kept_costs AS
SELECT s.run_id, json_extract_string(d.text, '$.costs[#-1]') AS cost,
	json_extract_string(d.text, '$.costs[#-1].checked')::BIGINT > coalesce(epoch_ns(c.changed_at), 0) AS is_current
FROM settled AS s JOIN settled_documents AS d USING (number), (
	SELECT greatest((SELECT max(recorded_at) FROM host_prices WHERE reason = 'corrected'), (SELECT max(imported_at) FROM bills)) AS changed_at
) AS c
WHERE d.kind = 'cost';
