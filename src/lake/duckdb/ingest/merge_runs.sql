-- SPDX-License-Identifier: Apache-2.0
-- Each key once, as staged; what is older than what is held stays out.
DELETE FROM staged_runs AS came USING runs AS held
WHERE came.run_id = held.run_id
	AND NOT supersedes(came.agent_id, came.boot_id, came.sequence, came.created_at,
		held.agent_id, held.boot_id, held.sequence, held.created_at);
-- An agent that came again knows a run's processes of now (a job, an engine's run of many): the run began with the first.
UPDATE staged_runs AS came SET started_at = held.started_at
FROM runs AS held
WHERE came.run_id = held.run_id AND held.started_at < came.started_at;
DELETE FROM runs AS held USING staged_runs AS came
WHERE came.run_id = held.run_id;
INSERT INTO runs BY NAME FROM staged_runs;
TRUNCATE staged_runs;
