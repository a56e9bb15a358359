-- SPDX-License-Identifier: Apache-2.0
-- What runs held of hosts between two instants (NULL: no bound), with those of their holds that overlap it, whole.
-- parts: as many answers have them all; part: this one, from 0.
-- (Holds of one task on one host are one row; of an engine one a minute: schema/views/holds.sql.)
SELECT run_id, host_id, task_id, step, name, sample, nullif(container, '') AS container, nullif(pod, '') AS pod, tools, since_at, until_at,
	cpu_ns, cpus_requested, memory_bytes, memory_requested_bytes, gpu_busy_ns, gpus, input_bytes
FROM (
	SELECT s.run_id, h.* EXCLUDE (number) FROM settled_holds AS h JOIN settled AS s USING (number)
	UNION ALL BY NAME FROM open_holds()
)
WHERE ($since_at::TIMESTAMP IS NULL OR until_at > $since_at) AND ($until_at::TIMESTAMP IS NULL OR since_at < $until_at)
	AND ($parts::BIGINT IS NULL OR hash(run_id, task_id, since_at) % $parts = $part)
ORDER BY host_id, since_at, run_id, task_id;
