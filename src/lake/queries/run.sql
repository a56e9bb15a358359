-- One run, by its id: who, when, where.
SELECT id, name, pipeline, engine, status, "user", started_at, ended_at, wall_s, hosts, labels, command, cwd
FROM runs_of([$run]);
