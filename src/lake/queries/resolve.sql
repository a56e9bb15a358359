-- The run that people mean by an id, a name (the newest of that name) or "latest". No row: none.
SELECT run_id AS id FROM runs
WHERE run_id = $run OR (name = $run AND name <> '') OR $run = 'latest'
ORDER BY run_id = $run DESC, name = $run DESC, started_at DESC NULLS LAST, run_id DESC
LIMIT 1;
