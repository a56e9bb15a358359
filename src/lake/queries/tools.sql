-- The tools of a run, the busiest first. wall_s is summed over executions.
SELECT key AS name, executions_failed AS failed, executions_wall_s AS wall_s,
	coverage_of(f) AS coverage,
	* EXCLUDE (key, executions_failed, executions_wall_s, executions_ended_at)
FROM figures_by([$run], tool_name(tool, exe)) AS f
ORDER BY user_ns + kernel_ns DESC, name;
