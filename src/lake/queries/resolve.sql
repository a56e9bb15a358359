-- The run that people mean by an id (also that of a part), a name (the newest of that name) or "latest". No row: none.
SELECT coalesce((SELECT p.run_id FROM parts AS p WHERE p.part_id = r.run_id), run_id) AS id FROM runs_named AS r
WHERE run_id = $run OR (name = $run AND name <> '') OR $run = 'latest'
ORDER BY run_id = $run DESC, name = $run DESC, started_at DESC NULLS LAST, run_id DESC
LIMIT 1;
