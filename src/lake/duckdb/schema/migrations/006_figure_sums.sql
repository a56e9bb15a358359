-- SPDX-License-Identifier: Apache-2.0
-- What samples of open executions sum up to was their CPU time only. It is all of their figures now (tables/settled_activity.sql).
CREATE TABLE IF NOT EXISTS samples_rolled (sample_key BIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS execution_sums (execution_key BIGINT NOT NULL, until_at TIMESTAMP, user_ns BIGINT NOT NULL, kernel_ns BIGINT NOT NULL);
CREATE TABLE sums_of_time AS FROM execution_sums;
DROP VIEW IF EXISTS execution_work;
DROP TABLE execution_sums;
CREATE TABLE execution_sums (
	execution_key BIGINT NOT NULL,
	until_at TIMESTAMP,
	user_ns BIGINT NOT NULL,
	kernel_ns BIGINT NOT NULL,
	figures BLOB NOT NULL
);
INSERT INTO execution_sums BY NAME
SELECT t.*, coalesce(s.figures, ''::BLOB) AS figures
FROM sums_of_time AS t LEFT JOIN (
	SELECT execution_key, sum_figures(figures, until_at) AS figures FROM samples_packed SEMI JOIN sums_of_time USING (execution_key)
	WHERE sample_key <= (SELECT max(sample_key) FROM samples_rolled)
	GROUP BY execution_key
) AS s USING (execution_key);
DROP TABLE sums_of_time;
