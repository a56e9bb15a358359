-- SPDX-License-Identifier: Apache-2.0
-- The attempts of tasks of the newest settled runs of a pipeline, at most $runs runs and $limit attempts, the newest run first, each run in
-- the order of their start. $step: NULL for all. $except: a run that is left out. $before: only runs that began before; NULL: all. $user: of
-- this user alone; NULL: of all. wall: where the wall time of the attempt went (server/query/run_wall_document.c).
WITH chosen AS MATERIALIZED (
	SELECT number, r.id AS run_id, r.started_at AS run_started_at
	FROM settled_runs AS r JOIN settled AS s USING (number)
	WHERE r.pipeline = $pipeline AND ($except::VARCHAR IS NULL OR r.id <> $except) AND ($before::TIMESTAMP IS NULL OR r.started_at < $before)
		AND ($user::VARCHAR IS NULL OR r."user" = $user) AND may_read($reader, r."user", s.uid, r.labels)
	ORDER BY r.started_at DESC, r.id DESC LIMIT $runs
), walls AS MATERIALIZED (
	SELECT number, row->>0 AS task_id, row->2 AS wall FROM (
		SELECT number, unnest("text"::JSON[]) AS row FROM settled_documents
		WHERE kind = 'wall' AND number IN (SELECT number FROM chosen))
)
SELECT c.run_id, t.id, t.step, t.name, t.status, t.started_at, t.ended_at, t.attempt, t.wall_s, t.user_ns, t.kernel_ns, f.input_bytes,
	f.read_bytes, f.output_bytes, f.memory_charged_bytes, t.disk_read_bytes, t.disk_write_bytes, t.net_rx_bytes, t.net_tx_bytes,
	t.cpus_requested, t.memory_requested_bytes, t.requested_by, f.host_cpus, f.host_memory_bytes, f.host_type, f.versions, f.arguments,
	f.out_of_memory, w.wall
FROM chosen AS c JOIN settled_tasks AS t USING (number)
LEFT JOIN settled_task_facts AS f ON f.number = t.number AND f.id = t.id
LEFT JOIN walls AS w ON w.number = t.number AND w.task_id = t.id
WHERE t.started_at IS NOT NULL AND ($step::VARCHAR IS NULL OR t.step = $step)
ORDER BY c.run_started_at DESC, c.run_id DESC, t.started_at, t.id LIMIT $limit;
