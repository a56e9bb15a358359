-- SPDX-License-Identifier: Apache-2.0
-- Adds up samples of executions that came since the last roll-up, at most half a million, where the writer has not done that
-- (duckdb_sums.h). The bounds are variables: DuckDB then reads and unpacks no other rows, which a subquery in their place does not
-- achieve.
SET VARIABLE rolled = (SELECT coalesce(max(sample_key), 0) FROM samples_rolled);
SET VARIABLE roll_bound = (SELECT min(sample_key) + 500000 FROM samples_packed WHERE sample_key > getvariable('rolled'));
CREATE OR REPLACE TEMP TABLE samples_came AS
SELECT sample_key, execution_key, since_at, until_at, figures, f.user_ns, f.kernel_ns
FROM (
	SELECT sample_key, execution_key, since_at, until_at, figures, unpack_figures(figures) AS f FROM samples_packed
	WHERE sample_key > getvariable('rolled') AND sample_key <= getvariable('roll_bound')
);
SET VARIABLE roll_until = (SELECT max(sample_key) FROM samples_came);
INSERT INTO sums_new
SELECT execution_key, max(until_at), sum_figures(figures, until_at) FROM samples_came GROUP BY execution_key;
INSERT INTO uses_new
SELECT execution_key, since_at, until_at, since_at IS NOT NULL AND (user_ns + kernel_ns)::HUGEINT * 100 >= epoch_ns(until_at) - epoch_ns(since_at)
FROM samples_came WHERE until_at IS NOT NULL;
DROP TABLE samples_came;
