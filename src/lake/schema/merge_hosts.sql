MERGE INTO hosts AS held
USING staged_hosts AS came USING (host_id)
WHEN MATCHED AND supersedes(came.agent_id, came.boot_id, came.sequence, came.created_at,
	held.agent_id, held.boot_id, held.sequence, held.created_at) THEN UPDATE BY NAME
WHEN NOT MATCHED THEN INSERT BY NAME;
TRUNCATE staged_hosts;
