-- SPDX-License-Identifier: Apache-2.0
-- Adds sums_new and uses_new, of samples up to number roll_until (a variable), to the tables of schema/tables/settled_activity.sql, and
-- empties them. One transaction.
CREATE OR REPLACE TEMP TABLE closed_executions AS
SELECT execution_key FROM executions SEMI JOIN (
	SELECT execution_key FROM sums_new UNION ALL SELECT execution_key FROM execution_sums
) USING (execution_key)
WHERE status NOT IN ('running', 'lost') AND NOT found;
CREATE OR REPLACE TEMP TABLE sums_came AS
SELECT execution_key, until_at, unpack_figures(figures).user_ns AS user_ns, unpack_figures(figures).kernel_ns AS kernel_ns, figures
FROM (
	SELECT execution_key, max(parts.until_at) AS until_at, sum_figures(parts.figures, parts.until_at) AS figures
	FROM (
		FROM sums_new
		UNION ALL SELECT execution_key, until_at, figures FROM execution_sums SEMI JOIN sums_new USING (execution_key)
	) AS parts ANTI JOIN closed_executions USING (execution_key)
	GROUP BY execution_key
);
DELETE FROM execution_sums WHERE execution_key IN (FROM sums_came SELECT execution_key UNION ALL FROM closed_executions);
INSERT INTO execution_sums BY NAME FROM sums_came;

CREATE OR REPLACE TEMP TABLE waits_came AS
SELECT c.execution_key, k.host_id, c.since_at, c.until_at, c.is_used
FROM uses_new AS c JOIN execution_keys AS k USING (execution_key)
LEFT JOIN (SELECT execution_key, run_id FROM executions SEMI JOIN uses_new USING (execution_key)) AS e USING (execution_key)
WHERE coalesce(e.run_id, '') = '' OR e.run_id IN (SELECT run_id FROM runs WHERE engine = 'session');
INSERT INTO waits_sampled SELECT DISTINCT execution_key FROM waits_came ANTI JOIN waits_sampled USING (execution_key);
-- Joined with what ended at most a second before.
CREATE OR REPLACE TEMP TABLE waits_near AS
SELECT held.* FROM waits AS held JOIN (
	SELECT execution_key, min(since_at) AS since_at, max(until_at) AS until_at FROM waits_came WHERE is_used GROUP BY execution_key
) AS came USING (execution_key)
WHERE held.until_at >= came.since_at - INTERVAL 1 SECOND AND held.since_at <= came.until_at + INTERVAL 1 SECOND;
DELETE FROM waits AS held USING waits_near AS near
WHERE held.execution_key = near.execution_key AND held.since_at = near.since_at AND held.until_at = near.until_at;
INSERT INTO waits BY NAME
WITH parted AS (
	SELECT *, since_at - max(until_at) OVER (PARTITION BY execution_key ORDER BY since_at
			ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) > INTERVAL 1 SECOND AS is_gap
	FROM (SELECT execution_key, host_id, since_at, until_at FROM waits_came WHERE is_used UNION ALL BY NAME FROM waits_near)
), numbered AS (
	SELECT *, sum(coalesce(is_gap, false)::INTEGER) OVER (PARTITION BY execution_key ORDER BY since_at
		ROWS UNBOUNDED PRECEDING) AS number
	FROM parted
)
SELECT execution_key, host_id, min(since_at) AS since_at, max(until_at) AS until_at FROM numbered
GROUP BY execution_key, host_id, number;

DELETE FROM samples_rolled WHERE getvariable('roll_until') IS NOT NULL;
INSERT INTO samples_rolled SELECT getvariable('roll_until') WHERE getvariable('roll_until') IS NOT NULL;
TRUNCATE sums_new;
TRUNCATE uses_new;
DROP TABLE closed_executions;
DROP TABLE sums_came;
DROP TABLE waits_came;
DROP TABLE waits_near;
