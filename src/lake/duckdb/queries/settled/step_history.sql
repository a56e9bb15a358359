-- SPDX-License-Identifier: Apache-2.0
-- The attempts of tasks of the newest settled runs of a pipeline, at most $runs runs and $limit attempts, the newest run first, each run in
-- the order of their start. $step: NULL for all. $except: a run that is left out. $before: only runs that began before; NULL: all. $owner,
-- $labels: runs of this user (owner_of) alone that have all of these labels, and maybe more: whoever may read a run of theirs may read
-- these; NULL: any. wall: where the wall time of the attempt went (server/query/run_wall_document.c): documents are large, so only those of
-- runs with attempts are read. Figures of an attempt without a known process are NULL.
WITH chosen AS MATERIALIZED (
	SELECT number, r.id AS run_id, r.started_at AS run_started_at
	FROM settled_runs AS r JOIN settled AS s USING (number)
	WHERE r.pipeline = $pipeline AND ($except::VARCHAR IS NULL OR r.id <> $except) AND ($before::TIMESTAMP IS NULL OR r.started_at < $before)
		AND ($owner::VARCHAR IS NULL OR owner_of(r."user", s.uid) = $owner)
		AND ($labels::JSON IS NULL OR list_has_all(label_texts(r.labels), label_texts($labels::JSON)))
		AND may_read($reader, r."user", s.uid, r.labels)
	ORDER BY r.started_at DESC, r.id DESC LIMIT $runs
), attempts AS MATERIALIZED (
	SELECT t.*, c.run_id, c.run_started_at, t.executions > 0 AS seen
	FROM chosen AS c JOIN settled_tasks AS t USING (number)
	WHERE t.started_at IS NOT NULL AND ($step::VARCHAR IS NULL OR t.step = $step)
	ORDER BY c.run_started_at DESC, c.run_id DESC, t.started_at, t.id LIMIT $limit
), walls AS MATERIALIZED (
	SELECT number, row->>0 AS task_id, row->2 AS wall FROM (
		SELECT number, unnest("text"::JSON[]) AS row FROM settled_documents
		WHERE kind = 'wall' AND number IN (SELECT number FROM attempts))
)
SELECT t.run_id, t.id, t.step, t.name, t.status, t.started_at, t.ended_at, t.queued_at, t.attempt, t.wall_s, CASE WHEN seen THEN t.user_ns END AS user_ns,
	CASE WHEN seen THEN t.kernel_ns END AS kernel_ns, f.input_bytes, f.read_bytes, f.output_bytes, f.memory_charged_bytes,
	CASE WHEN seen THEN t.disk_read_bytes END AS disk_read_bytes, CASE WHEN seen THEN t.disk_write_bytes END AS disk_write_bytes,
	CASE WHEN seen THEN t.net_rx_bytes END AS net_rx_bytes, CASE WHEN seen THEN t.net_tx_bytes END AS net_tx_bytes,
	t.cpus_requested, t.memory_requested_bytes, t.requested_by, f.host_cpus, f.host_memory_bytes, f.host_type, f.versions, f.arguments,
	f.out_of_memory, coalesce(t.exit_code IN (124, 140), false) AS out_of_time, w.wall
FROM attempts AS t
LEFT JOIN settled_task_facts AS f ON f.number = t.number AND f.id = t.id
LEFT JOIN walls AS w ON w.number = t.number AND w.task_id = t.id
ORDER BY t.run_started_at DESC, t.run_id DESC, t.started_at, t.id;
