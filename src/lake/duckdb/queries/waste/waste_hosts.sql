-- SPDX-License-Identifier: Apache-2.0
-- The hosts that sent samples between $since_at and $now_at (NULL: now), as of the latter: what they are, since when they are up without a
-- gap of more than a minute, and until when tracked work used them last (used_times). worker: which service gives them jobs (slurm,
-- kubernetes, ecs, other), by the daemon that its agent sees there (daemon; node: as that is called), else by the containers and runs that
-- the service made there; job_until: until when the last of these was.
WITH up AS (
	SELECT host_id, max(since_at) AS up_since, least(max(until_at), last_of($now_at)) AS seen_at
	FROM up_between($since_at, last_of($now_at)) GROUP BY host_id
), used AS (
	SELECT host_id, least(max(until_at), coalesce($now_at::TIMESTAMP, now_at())) AS used_until
	FROM used_times() WHERE since_at < last_of($now_at) AND until_at > first_of($since_at) GROUP BY host_id
), jobs AS (
	SELECT c.host_id, runtime AS service,
		coalesce(ended_at, CASE WHEN c.boot_id = h.boot_id THEN $now_at::TIMESTAMP ELSE c.created_at END, now_at()) AS until_at
	FROM containers AS c JOIN hosts AS h USING (host_id)
	WHERE runtime IN ('slurm', 'kubernetes', 'ecs') AND c.started_at < last_of($now_at)
	UNION ALL
	SELECT host_id, engine, coalesce(ended_at, CASE WHEN status <> 'running' THEN created_at END, $now_at::TIMESTAMP, now_at()) FROM runs
	WHERE engine = 'slurm' AND started_at < last_of($now_at)
), daemons AS (
	SELECT host_id, split_part(workers[1], ' ', 1) AS daemon, split_part(workers[1], ' ', 2) AS node FROM hosts WHERE len(workers) > 0
), job AS (
	SELECT host_id, arg_max(service, until_at) AS service, least(max(until_at), coalesce($now_at::TIMESTAMP, now_at())) AS job_until
	FROM jobs WHERE until_at > first_of($since_at) GROUP BY host_id
)
SELECT host_id AS id, hostname, h.cpus, memory_bytes, provider, region, zone, instance_type, instance_id, purchase, tags,
	up_since, up.seen_at, used_until,
	CASE daemon WHEN 'slurmd' THEN 'slurm' WHEN 'kubelet' THEN 'kubernetes' WHEN 'ecs-agent' THEN 'ecs' ELSE
		CASE WHEN daemon IS NULL THEN service ELSE 'other' END END AS worker,
	daemon, node, job_until
FROM hosts AS h JOIN up USING (host_id) LEFT JOIN used USING (host_id) LEFT JOIN job USING (host_id)
LEFT JOIN daemons USING (host_id)
ORDER BY hostname, host_id;
