-- SPDX-License-Identifier: Apache-2.0
-- Staged rows have each key once. A staged row that is older than the stored one is dropped, a newer one replaces it. A row
-- of another host never does: an id belongs to the host that stored it first.
DELETE FROM staged_runs AS came USING runs AS held
WHERE came.run_id = held.run_id
	AND (came.host_id <> held.host_id OR NOT supersedes(came.agent_id, came.boot_id, came.sequence, came.created_at,
		held.agent_id, held.boot_id, held.sequence, held.created_at));
-- A restarted agent knows only the processes that are alive (of a job, of a run with many processes): the earliest start counts.
UPDATE staged_runs AS came SET started_at = held.started_at
FROM runs AS held
WHERE came.run_id = held.run_id AND held.started_at < came.started_at;
DELETE FROM runs AS held USING staged_runs AS came
WHERE came.run_id = held.run_id;
INSERT INTO runs BY NAME FROM staged_runs;
TRUNCATE staged_runs;
