-- SPDX-License-Identifier: Apache-2.0
-- Who else used the CPUs of the hosts of a run while it lasted, those that used most first: other runs by their samples, and
-- control groups of untracked work. A sample that lies partly in this time counts by that part.
WITH span AS MATERIALIZED (FROM span_of($run)),
mine AS MATERIALIZED (SELECT DISTINCT host_id FROM executions WHERE run_id = $run),
others AS MATERIALIZED ( -- of other runs that overlap in time: often there is none, and no sample is read
	SELECT execution_key, host_id, run_id FROM executions SEMI JOIN mine USING (host_id), span
	WHERE run_id NOT IN ('', $run) AND executions.started_at < span.ended_at
		AND (status IN ('running', 'lost') OR executions.ended_at > span.started_at)
), used AS (
	SELECT host_id, run_id, '' AS path, (f.user_ns + f.kernel_ns)::DOUBLE AS cpu_ns, since_at, until_at
	FROM (
		SELECT host_id, run_id, since_at, until_at, unpack_figures(figures) AS f
		FROM samples_packed JOIN others USING (execution_key), span
		WHERE until_at > span.started_at AND since_at < span.ended_at
	)
	UNION ALL
	SELECT host_id, '', path, cpu_ns::DOUBLE, since_at, until_at FROM untracked WHERE kind = 'cgroup'
), summed AS (
	SELECT host_id, run_id, path, sum(cpu_ns * seconds(greatest(since_at, span.started_at), least(until_at, span.ended_at))
		/ nullif(seconds(since_at, until_at), 0)) AS cpu_ns
	FROM used SEMI JOIN mine USING (host_id), span
	WHERE until_at > span.started_at AND since_at < span.ended_at
	GROUP BY ALL
)
SELECT s.host_id, s.run_id <> '' AS is_run, coalesce(r.name, s.path) AS name, s.cpu_ns
FROM summed AS s LEFT JOIN runs_named AS r ON r.run_id = s.run_id
WHERE s.cpu_ns > 0 ORDER BY s.cpu_ns DESC, name LIMIT $limit;
