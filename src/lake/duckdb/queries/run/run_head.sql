-- SPDX-License-Identifier: Apache-2.0
-- One run, by its id, without any sum. ended_at: of a run that runs, now; of a lost one, the last record of it.
SELECT r.run_id AS id, r.name, r.pipeline, owner_of(r."user", r.uid) AS owner, r.labels, r.engine, r.status, r.exit_code, r.signal, r.started_at, s.ended_at,
	greatest(seconds(r.started_at, s.ended_at), 0) AS wall_s
FROM runs_named AS r, span_of($run) AS s
WHERE r.run_id = $run;
