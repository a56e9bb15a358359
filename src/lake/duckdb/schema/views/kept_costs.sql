-- SPDX-License-Identifier: Apache-2.0
-- What settled runs cost when that was looked at last (server/billing/kept_cost.h). checked_at: when that was; changed_at: when a price was
-- corrected or a bill imported last.
CREATE OR REPLACE VIEW kept_costs AS
SELECT s.number, s.run_id, cost, make_timestamp_ns(json_extract_string(cost, '$.checked')::BIGINT)::TIMESTAMP AS checked_at, c.changed_at
FROM (
	SELECT number, json_extract_string(text, '$.costs[#-1]') AS cost FROM settled_documents WHERE kind = 'cost'
) JOIN settled AS s USING (number), (
	SELECT coalesce(greatest((SELECT max(recorded_at) FROM host_prices WHERE reason = 'corrected'), (SELECT max(imported_at) FROM bills)),
		TIMESTAMP '1970-01-01') AS changed_at
) AS c;

-- Of some settled runs (a list) those that had others beside them on a host which settled since they were looked at: what is idle is shared
-- with these, and what they held is known for good when they settle.
CREATE OR REPLACE MACRO costs_beside(numbers_) AS TABLE
SELECT DISTINCT a.number
FROM (
	SELECT w.number, w.host_id, w.since_at, w.until_at, k.checked_at FROM settled_activity_runs AS w JOIN kept_costs AS k USING (number)
	WHERE list_contains(numbers_, w.number)
) AS a
JOIN settled_activity_runs AS b ON b.host_id = a.host_id AND b.since_at < a.until_at AND b.until_at > a.since_at
JOIN settled AS s ON s.number = b.number
WHERE b.number <> a.number AND s.settled_at > a.checked_at;

-- Those beside which a run is on that is not settled.
CREATE OR REPLACE MACRO costs_open(numbers_) AS TABLE
SELECT DISTINCT w.number
FROM settled_activity_runs AS w JOIN (
	SELECT host_id, started_at, ended_at FROM runs
	WHERE run_id NOT IN (SELECT run_id FROM settled) AND run_id NOT IN (SELECT part_id FROM parts)
) AS r ON r.host_id = w.host_id AND r.started_at < w.until_at AND coalesce(r.ended_at > w.since_at, true)
WHERE list_contains(numbers_, w.number);
