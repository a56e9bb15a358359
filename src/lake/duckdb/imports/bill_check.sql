-- SPDX-License-Identifier: Apache-2.0
-- What is wrong with the rows: one sentence, or no row.
WITH found AS (
	SELECT count(*) AS lines, count(*) FILTER (billed IS NULL) AS unbilled, count(*) FILTER (effective IS NULL) AS uneffective,
		count(*) FILTER (charge_since IS NULL OR charge_until IS NULL) AS untimed,
		count(*) FILTER (period_since IS NULL OR period_until IS NULL OR period_until <= period_since) AS unperioded,
		count(*) FILTER (charge_until < charge_since OR charge_until - charge_since > INTERVAL 400 DAY AND kind = 'compute') AS backward,
		count(*) FILTER (NOT regexp_matches(currency, '^[A-Z]{3}$')) AS strange, any_value(currency) AS currency,
		count(*) FILTER (billing_account = '') AS unowned, max(greatest(abs(billed), abs(effective))) AS largest,
		max(hours) AS longest, min(hours) AS shortest
	FROM rows
), faults AS (
	SELECT 1 AS place, 'the file has no lines' AS words FROM found WHERE lines = 0
	UNION ALL SELECT 2, unbilled || ' of its ' || lines || ' lines have no billed cost' FROM found WHERE unbilled > 0
	UNION ALL SELECT 3, uneffective || ' of its ' || lines || ' lines have no effective cost' FROM found WHERE uneffective > 0
	UNION ALL SELECT 4, untimed || ' of its ' || lines || ' lines have no charge period' FROM found WHERE untimed > 0
	UNION ALL SELECT 5, unperioded || ' of its ' || lines || ' lines have no billing period' FROM found WHERE unperioded > 0
	UNION ALL SELECT 6, backward || ' of its ' || lines || ' lines have a charge period that ends before it begins, or is longer than a year'
		FROM found WHERE backward > 0
	UNION ALL SELECT 7, strange || ' of its ' || lines || ' lines have no currency (ISO 4217)' FROM found WHERE strange > 0
	UNION ALL SELECT 8, unowned || ' of its ' || lines || ' lines have no billing account' FROM found WHERE unowned > 0
	UNION ALL SELECT 9, 'a line has the amount ' || largest || ': amounts may have 1000000000 at most' FROM found WHERE largest > 1000000000
	UNION ALL SELECT 10, 'a line has ' || longest || ' hours of an instance' FROM found WHERE longest > 100000 OR shortest < -100000
)
SELECT words FROM faults ORDER BY place LIMIT 1;
