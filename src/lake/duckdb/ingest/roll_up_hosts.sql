-- SPDX-License-Identifier: Apache-2.0
-- Adds the samples of hosts that came since to their sums (schema/tables/host_rollups.sql). One transaction.
DELETE FROM host_latest AS held USING (
	SELECT host_id, max(until_at) AS until_at FROM host_samples_new GROUP BY host_id
) AS came
WHERE held.host_id = came.host_id AND held.until_at <= came.until_at;
INSERT INTO host_latest BY NAME
SELECT DISTINCT ON (host_id) * FROM host_samples_new
WHERE until_at IS NOT NULL AND host_id NOT IN (SELECT host_id FROM host_latest)
ORDER BY host_id, until_at DESC;

-- Joined with the times of being up that are at most a minute before or after.
CREATE OR REPLACE TEMP TABLE up_came AS
SELECT host_id, min(since_at) AS since_at, max(until_at) AS until_at FROM host_samples_new
WHERE since_at IS NOT NULL AND until_at IS NOT NULL GROUP BY host_id, epoch_us(since_at) // 60000000;
CREATE OR REPLACE TEMP TABLE up_near AS
SELECT held.host_id, held.since_at, held.until_at FROM host_up AS held JOIN (
	SELECT host_id, min(since_at) AS since_at, max(until_at) AS until_at FROM up_came GROUP BY host_id
) AS came USING (host_id)
WHERE held.until_at >= came.since_at - INTERVAL 1 MINUTE AND held.since_at <= came.until_at + INTERVAL 1 MINUTE;
DELETE FROM host_up AS held USING up_near AS near
WHERE held.host_id = near.host_id AND held.since_at = near.since_at AND held.until_at = near.until_at;
INSERT INTO host_up BY NAME
WITH parted AS (
	SELECT *, since_at - max(until_at) OVER (PARTITION BY host_id ORDER BY since_at
			ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) > INTERVAL 1 MINUTE AS is_gap
	FROM (FROM up_came UNION ALL BY NAME FROM up_near)
), numbered AS (
	SELECT *, sum(coalesce(is_gap, false)::INTEGER) OVER (PARTITION BY host_id ORDER BY since_at
		ROWS UNBOUNDED PRECEDING) AS number
	FROM parted
)
SELECT host_id, min(since_at) AS since_at, max(until_at) AS until_at FROM numbered GROUP BY host_id, number;
DROP TABLE up_came;
DROP TABLE up_near;

CREATE OR REPLACE TEMP TABLE minutes_came AS
SELECT host_id, "at", min(since_at) AS since_at, max(until_at) AS until_at, sum(samples)::BIGINT AS samples,
	cut(sum(lasted_us)) AS lasted_us,
	cut(sum(COLUMNS(lambda f: is_host_growth(f) OR is_host_level(f)))), max(COLUMNS(lambda f: is_host_peak(f)))
FROM host_samples_new_apart GROUP BY host_id, "at" ORDER BY host_id, "at";
INSERT INTO host_minutes BY NAME FROM minutes_came;
INSERT INTO host_minutes_new BY NAME FROM minutes_came;
DROP TABLE minutes_came;
DELETE FROM host_samples_new;
