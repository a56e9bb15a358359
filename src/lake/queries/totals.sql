-- One run's sums over all its processes.
SELECT r.* EXCLUDE (id, name, pipeline, engine, status, "user", started_at, ended_at, wall_s, hosts, labels, command, cwd),
	NULL::DOUBLE AS coverage,
	(SELECT coalesce(sum(count), 0) FROM losses_of($run)) AS lost_records
FROM runs_of([$run]) AS r;
