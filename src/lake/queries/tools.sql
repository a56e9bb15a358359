-- The tools of a run, the busiest first. wall_s is summed over executions. versions: those that are known.
SELECT f.key AS name, coalesce(v.versions, '[]'::JSON) AS versions, executions_failed AS failed, executions_wall_s AS wall_s,
	coverage_of(f) AS coverage, work_of(f) AS work_ns,
	f.* EXCLUDE (key, executions_failed, executions_wall_s, executions_ended_at)
FROM figures_by([$run], tool_name(tool, exe)) AS f
LEFT JOIN (
	SELECT tool_name(tool, exe) AS key, to_json(list_sort(list(DISTINCT version))) AS versions
	FROM executions WHERE run_id = $run AND version <> '' GROUP BY ALL
) AS v ON v.key = f.key
ORDER BY user_ns + kernel_ns DESC, name;
