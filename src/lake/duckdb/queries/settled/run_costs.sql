-- SPDX-License-Identifier: Apache-2.0
-- What a run cost each time that it was settled (server/billing/kept_cost.h). NULL: it never was.
SELECT coalesce(
	(SELECT any_value(d.text) FROM settled AS s JOIN settled_documents AS d USING (number) WHERE s.run_id = $run AND d.kind = 'cost'),
	(SELECT any_value(text) FROM run_costs WHERE run_id = $run)) AS text;
