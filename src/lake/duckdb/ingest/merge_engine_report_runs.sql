-- SPDX-License-Identifier: Apache-2.0
-- One row a run. A field of a new report replaces the stored one; a field that the report lacks keeps the stored one.
UPDATE staged_told_runs AS came SET
	engine_run_id = coalesce(nullif(came.engine_run_id, ''), held.engine_run_id),
	name = coalesce(nullif(came.name, ''), held.name),
	pipeline = coalesce(nullif(came.pipeline, ''), held.pipeline),
	cwd = coalesce(nullif(came.cwd, ''), held.cwd),
	command = coalesce(nullif(came.command, ''), held.command),
	begun_at = coalesce(held.begun_at, came.begun_at)
FROM told_runs AS held WHERE came.told_id = held.told_id;
DELETE FROM told_runs AS held USING staged_told_runs AS came WHERE came.told_id = held.told_id;
INSERT INTO told_runs BY NAME FROM staged_told_runs;
TRUNCATE staged_told_runs;
