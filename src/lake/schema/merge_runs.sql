-- Each key once, as staged; what is older than what is held stays out.
DELETE FROM staged_runs AS came USING runs AS held
WHERE came.run_id = held.run_id
	AND NOT supersedes(came.agent_id, came.boot_id, came.sequence, came.created_at,
		held.agent_id, held.boot_id, held.sequence, held.created_at);
DELETE FROM runs AS held USING staged_runs AS came
WHERE came.run_id = held.run_id;
INSERT INTO runs BY NAME FROM staged_runs;
TRUNCATE staged_runs;
