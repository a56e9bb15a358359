-- SPDX-License-Identifier: Apache-2.0
-- Adds the minutes of hosts that were made since to the hours, once there are about an hour's of each host. One transaction.
CREATE OR REPLACE TEMP TABLE hours_came AS
SELECT host_id, bucket_at("at", 3600) AS "at", min(since_at) AS since_at, max(until_at) AS until_at,
	sum(samples)::BIGINT AS samples, cut(sum(lasted_us)) AS lasted_us,
	cut(sum(COLUMNS(lambda f: is_host_growth(f) OR is_host_level(f)))), max(COLUMNS(lambda f: is_host_peak(f)))
FROM host_minutes_new
WHERE (SELECT count(*) FROM host_minutes_new) >= 60 * (SELECT count(DISTINCT host_id) FROM host_minutes_new)
GROUP BY ALL ORDER BY 1, 2;
INSERT INTO host_hours BY NAME FROM hours_came;
DELETE FROM host_minutes_new WHERE EXISTS (FROM hours_came);
DROP TABLE hours_came;
