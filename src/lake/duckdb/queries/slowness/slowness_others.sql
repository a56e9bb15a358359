-- SPDX-License-Identifier: Apache-2.0
-- Who else used the CPUs of the hosts of runs while they lasted, those that used most first: other runs by their samples, and
-- control groups of untracked work; at most $limit of a run. A sample that lies partly in this time counts by that part.
WITH mine AS MATERIALIZED ( -- (By the limit, fifty runs on a thousand hosts, DuckDB plans with few rows here.)
	SELECT run_id, host_id, any_value(s.started_at) AS started_at, any_value(s.ended_at) AS ended_at
	FROM executions JOIN spans_by_run(getvariable('runs')) AS s USING (run_id)
	WHERE is_one_of(getvariable('runs'), run_id) GROUP BY run_id, host_id LIMIT 50000
), others AS MATERIALIZED ( -- of other runs that overlap in time: often there is none, and no sample is read
	SELECT m.run_id, m.started_at, m.ended_at, e.execution_key, e.host_id, e.run_id AS other_id
	FROM executions AS e JOIN mine AS m ON m.host_id = e.host_id AND m.run_id <> e.run_id AND e.started_at < m.ended_at
		AND (e.status IN ('running', 'lost') OR e.ended_at > m.started_at)
	WHERE e.run_id <> ''
), sampled AS MATERIALIZED ( -- before anything else is joined, so that DuckDB reads no other samples
	SELECT execution_key, since_at, until_at, (f.user_ns + f.kernel_ns)::DOUBLE AS cpu_ns
	FROM (
		SELECT execution_key, since_at, until_at, unpack_figures(figures) AS f
		FROM samples_packed WHERE execution_key IN (SELECT DISTINCT execution_key FROM others)
	)
), used AS (
	SELECT o.run_id, host_id, other_id, '' AS path, cpu_ns, since_at, until_at, o.started_at, o.ended_at
	FROM sampled JOIN others AS o USING (execution_key)
	UNION ALL
	SELECT m.run_id, host_id, '', path, cpu_ns::DOUBLE, since_at, until_at, m.started_at, m.ended_at
	FROM untracked JOIN mine AS m USING (host_id) WHERE kind = 'cgroup'
), summed AS (
	SELECT run_id, host_id, other_id, path, sum(cpu_ns * seconds(greatest(since_at, started_at), least(until_at, ended_at))
		/ nullif(seconds(since_at, until_at), 0)) AS cpu_ns
	FROM used WHERE until_at > started_at AND since_at < ended_at GROUP BY ALL
)
SELECT s.run_id, s.host_id, s.other_id <> '' AS is_run, coalesce(r.name, s.path) AS name, s.cpu_ns
FROM summed AS s LEFT JOIN runs_named AS r ON r.run_id = s.other_id
WHERE s.cpu_ns > 0
QUALIFY row_number() OVER (PARTITION BY s.run_id ORDER BY s.cpu_ns DESC, coalesce(r.name, s.path)) <= $limit
ORDER BY s.run_id, s.cpu_ns DESC, name;
