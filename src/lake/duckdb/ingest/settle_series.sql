-- SPDX-License-Identifier: Apache-2.0
-- Stores the settled runs that the variable settling lists over time, in the buckets that pages show; see settle_sums.sql. More rows of
-- one series than fit into an answer are not stored: the query would fail, and says so.
SET VARIABLE intervals = (
	SELECT list(greatest(interval_s, 1) ORDER BY number)
	FROM settling_runs() JOIN samples_intervals_by_run(getvariable('settling')) USING (run_id));
INSERT INTO settled_series BY NAME
SELECT n.number, s.* EXCLUDE (run_id)
FROM settling_runs() AS n JOIN series_by_run(getvariable('settling'), getvariable('intervals'), 'all') AS s USING (run_id);
DELETE FROM settled_series WHERE (number, keyed_by) IN (
	SELECT (number, keyed_by) FROM settled_series WHERE number IN (SELECT unnest(getvariable('numbers'))) GROUP BY ALL HAVING count(*) > 60000);
INSERT INTO settled_intervals
SELECT number, keyed_by, interval_s
FROM (SELECT unnest(getvariable('numbers')) AS number, unnest(getvariable('intervals')) AS interval_s), (VALUES ('run'), ('tool'), ('task')) AS k(keyed_by)
WHERE keyed_by = 'run' OR (number, keyed_by) IN (
	SELECT (number, keyed_by) FROM settled_series WHERE number IN (SELECT unnest(getvariable('numbers'))));
