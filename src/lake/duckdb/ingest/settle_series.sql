-- SPDX-License-Identifier: Apache-2.0
-- Stores a settled run over time (the one that the variable settling lists), in the buckets that pages show, by what the variable
-- keyed_by says; see settle_sums.sql. More rows than fit into an answer are not stored: the query would fail, and says so.
SET VARIABLE settled = (getvariable('numbers')[1]);
SET VARIABLE interval_s = (SELECT greatest(interval_s, 1) FROM samples_interval_of(getvariable('settling')[1]));
INSERT INTO settled_series BY NAME
SELECT getvariable('settled') AS number, getvariable('keyed_by') AS keyed_by, *
FROM samples_of(getvariable('settling')[1], getvariable('keyed_by'), getvariable('interval_s')) LIMIT 60001;
DELETE FROM settled_series WHERE number = getvariable('settled') AND keyed_by = getvariable('keyed_by')
	AND (SELECT count(*) > 60000 FROM settled_series WHERE number = getvariable('settled') AND keyed_by = getvariable('keyed_by'));
INSERT INTO settled_intervals
SELECT getvariable('settled'), getvariable('keyed_by'), getvariable('interval_s')
WHERE getvariable('keyed_by') = 'run' OR EXISTS (
	FROM settled_series WHERE number = getvariable('settled') AND keyed_by = getvariable('keyed_by'));
