-- SPDX-License-Identifier: Apache-2.0
-- Machines, by host_id.
CREATE TABLE IF NOT EXISTS hosts (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	hostname VARCHAR NOT NULL,
	kernel VARCHAR NOT NULL,           -- release, as uname -r
	arch VARCHAR NOT NULL,             -- as uname -m
	os VARCHAR NOT NULL,
	cpus BIGINT NOT NULL,
	memory_bytes BIGINT NOT NULL,
	booted_at TIMESTAMP,
	seen_at TIMESTAMP,                 -- the agent was alive at that time
	agent_version VARCHAR NOT NULL,
	provider VARCHAR NOT NULL,         -- aws, gcp; empty: unknown or on premises
	region VARCHAR NOT NULL,
	zone VARCHAR NOT NULL,
	instance_type VARCHAR NOT NULL,
	price_usd_hour DOUBLE NOT NULL,    -- configured on the host; 0: not configured
	agent_started_at TIMESTAMP,
	agent_stopped_at TIMESTAMP,        -- NULL: running
	clock_offset_ns BIGINT NOT NULL,   -- this machine's clock less the host's
	clock_error_ns BIGINT NOT NULL,    -- by how much that may be wrong; 0: not known
	instance_id VARCHAR NOT NULL,      -- as the provider calls the machine, and its bill; empty: unknown
	account_id VARCHAR NOT NULL,       -- the provider's account, or project
	purchase VARCHAR NOT NULL,         -- on_demand, spot; empty: unknown
	tags JSON NOT NULL,                -- that the provider has of it: {"key": "value"}
	workers VARCHAR[] NOT NULL         -- daemons that take jobs there: "slurmd", or with the name of the node "slurmd node-7"
);

-- What an hour of a host costs, from an instant on (NULL: always), until the next one. A row is never changed: a correction is a row that
-- was recorded later. Of one host and instant the row that was recorded last counts; a correction counts against all rows that are older than
-- it and begin within its time. Filled when a host reports itself (ingest/merge_hosts.sql).
CREATE TABLE IF NOT EXISTS host_prices (
	host_id VARCHAR NOT NULL,
	since_at TIMESTAMP,
	recorded_at TIMESTAMP NOT NULL,    -- by this machine's clock
	usd_hour DOUBLE NOT NULL,          -- 0: unknown
	source VARCHAR NOT NULL,           -- for people: "configured", "aws on demand, us-east-1, list of 2026-07-20"
	reason VARCHAR NOT NULL,           -- reported, corrected
	provider VARCHAR NOT NULL,         -- the host as it was then
	region VARCHAR NOT NULL,
	instance_type VARCHAR NOT NULL,
	purchase VARCHAR NOT NULL
);

-- The host between two instants; _ns of CPU are summed over its CPUs.
CREATE TABLE IF NOT EXISTS host_samples (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	since_at TIMESTAMP,
	until_at TIMESTAMP,
	cpu_user_ns BIGINT NOT NULL,
	cpu_kernel_ns BIGINT NOT NULL,
	cpu_iowait_ns BIGINT NOT NULL,
	cpu_steal_ns BIGINT NOT NULL,
	cpu_idle_ns BIGINT NOT NULL,
	cpu_tracked_ns BIGINT NOT NULL,    -- the part of user + kernel that tracked work explains
	memory_used_bytes BIGINT NOT NULL, -- total - available, at until_at
	memory_available_bytes BIGINT NOT NULL,
	swap_used_bytes BIGINT NOT NULL,
	disk_read_bytes BIGINT NOT NULL,
	disk_write_bytes BIGINT NOT NULL,
	disk_reads BIGINT NOT NULL,
	disk_writes BIGINT NOT NULL,
	disk_busy_ns BIGINT NOT NULL,      -- of the busiest disk
	net_rx_bytes BIGINT NOT NULL,      -- without loopback
	net_tx_bytes BIGINT NOT NULL,
	cpu_pressure_ns BIGINT NOT NULL,   -- PSI "some"
	memory_pressure_ns BIGINT NOT NULL,
	io_pressure_ns BIGINT NOT NULL,
	tracked_processes BIGINT NOT NULL, -- alive at until_at
	agent_cpu_ns BIGINT NOT NULL,      -- the agent's own
	agent_rss_bytes BIGINT NOT NULL,
	agent_map_bytes BIGINT NOT NULL,   -- kernel memory of its maps
	agent_ring_bytes BIGINT NOT NULL,  -- the ring between kernel and agent
	agent_ring_peak_bytes BIGINT NOT NULL, -- the most that waited in it
	agent_spool_bytes BIGINT NOT NULL, -- waiting for the lake
	agent_programs_ns BIGINT NOT NULL, -- run time of its kernel programs; 0: not counted
	cpu_pressure_full_ns BIGINT NOT NULL, -- PSI "full"
	memory_pressure_full_ns BIGINT NOT NULL,
	io_pressure_full_ns BIGINT NOT NULL,
	block_requests BIGINT NOT NULL,    -- to block devices; 0: the kernel does not report them
	block_tracked_requests BIGINT NOT NULL -- the part that tracked work explains
);

-- What used the user + kernel time of a host, by interval; the sum of cpu_ns over the rows of an interval is that time.
CREATE TABLE IF NOT EXISTS untracked (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	since_at TIMESTAMP,
	until_at TIMESTAMP,
	kind VARCHAR NOT NULL,             -- tracked, cgroup, more, rest
	path VARCHAR NOT NULL,             -- of a cgroup
	cgroups BIGINT NOT NULL,           -- more: how many; cgroup: 1
	cpu_ns BIGINT NOT NULL,            -- of a cgroup what was not tracked; rest: may be below 0
	memory_bytes BIGINT NOT NULL,      -- at until_at
	memory_known BOOLEAN NOT NULL
);
