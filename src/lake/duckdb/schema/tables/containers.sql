-- SPDX-License-Identifier: Apache-2.0
-- Control groups that a container runtime or scheduler made, by (host_id, boot_id, cgroup_id).
CREATE TABLE IF NOT EXISTS containers (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	cgroup_id BIGINT NOT NULL,
	path VARCHAR NOT NULL,
	runtime VARCHAR NOT NULL,          -- docker, containerd, slurm, …
	container_id VARCHAR NOT NULL,
	memory_limit_bytes BIGINT NOT NULL, -- 0: none
	cpu_limit DOUBLE NOT NULL,         -- in CPUs; 0: none
	started_at TIMESTAMP,              -- made, or first used by tracked work
	ended_at TIMESTAMP,
	name VARCHAR NOT NULL,             -- as the runtime calls it; empty: unknown
	image VARCHAR NOT NULL,            -- as it was asked for
	pod VARCHAR NOT NULL,              -- its uid
	namespace VARCHAR NOT NULL,        -- of Kubernetes
	job_id VARCHAR NOT NULL,           -- of Slurm, of an ECS or AWS Batch task
	step_id VARCHAR NOT NULL,
	unit VARCHAR NOT NULL,             -- the innermost unit of systemd
	qos VARCHAR NOT NULL,              -- of the pod
	node VARCHAR NOT NULL,             -- which of several slurmd
	limits_known BOOLEAN NOT NULL,     -- false: it was gone before its limits were read
	pod_name VARCHAR NOT NULL
);

-- Control groups in an interval, where something changed: counts are growth, bytes of memory levels at until_at.
CREATE TABLE IF NOT EXISTS container_samples (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	cgroup_id BIGINT NOT NULL,
	since_at TIMESTAMP,
	until_at TIMESTAMP,
	cpu_ns BIGINT NOT NULL,
	cpu_periods BIGINT NOT NULL,
	cpu_throttled_periods BIGINT NOT NULL,
	cpu_throttled_ns BIGINT NOT NULL,
	memory_bytes BIGINT NOT NULL,
	memory_peak_bytes BIGINT NOT NULL, -- 0: the kernel does not keep it
	memory_limit_bytes BIGINT NOT NULL, -- 0: none
	memory_high_events BIGINT NOT NULL,
	memory_max_events BIGINT NOT NULL,
	memory_oom_events BIGINT NOT NULL,
	memory_oom_kills BIGINT NOT NULL,
	cpu_pressure_ns BIGINT NOT NULL,
	memory_pressure_ns BIGINT NOT NULL,
	io_pressure_ns BIGINT NOT NULL,
	memory_pressure_full_ns BIGINT NOT NULL,
	io_pressure_full_ns BIGINT NOT NULL,
	cpu_pressure_full_ns BIGINT NOT NULL,
	cpu_known BOOLEAN NOT NULL,        -- false: no cgroup hierarchy has its CPU time
	memory_unreclaimable_bytes BIGINT NOT NULL -- of memory_bytes: anonymous, shared and tmpfs, kernel; 0: not known
);
