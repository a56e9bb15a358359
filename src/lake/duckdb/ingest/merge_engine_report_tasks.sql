-- SPDX-License-Identifier: Apache-2.0
-- One row a task. A report without a task is about the task that its run reported last. A field of a new report replaces the
-- stored one; a field that the report lacks keeps the stored one; a status never goes back, in whatever order reports arrive.
UPDATE staged_told_tasks AS came SET task = last.task
FROM (SELECT told_id, arg_max(task, (created_at, sequence)) AS task FROM told_tasks GROUP BY told_id) AS last
WHERE came.told_id = last.told_id AND came.task = '';
DELETE FROM staged_told_tasks WHERE task = '';
UPDATE staged_told_tasks AS came SET
	step = coalesce(nullif(came.step, ''), held.step),
	name = coalesce(nullif(came.name, ''), held.name),
	sample = coalesce(nullif(came.sample, ''), held.sample),
	status = CASE WHEN engine_report_rank(came.status) >= engine_report_rank(held.status) THEN came.status ELSE held.status END,
	attempt = greatest(came.attempt, held.attempt),
	workdir = coalesce(nullif(came.workdir, ''), held.workdir),
	command = coalesce(nullif(came.command, ''), held.command),
	outputs = CASE WHEN len(came.outputs) > 0 THEN came.outputs ELSE held.outputs END,
	submitted_at = coalesce(held.submitted_at, came.submitted_at),
	cpus_requested = coalesce(nullif(came.cpus_requested, 0), held.cpus_requested),
	memory_requested_bytes = coalesce(nullif(came.memory_requested_bytes, 0), held.memory_requested_bytes)
FROM told_tasks AS held WHERE came.told_id = held.told_id AND came.task = held.task;
DELETE FROM told_tasks AS held USING staged_told_tasks AS came WHERE came.told_id = held.told_id AND came.task = held.task;
INSERT INTO told_tasks BY NAME FROM staged_told_tasks;
TRUNCATE staged_told_tasks;
