-- SPDX-License-Identifier: Apache-2.0
-- Sums over host_samples, so that no query reads all of them. The writer adds each row of host_samples to host_samples_new, too.
-- A step of its own (ingest/roll_up_hosts.sql) adds what came since to host_minutes, host_up and host_latest, and empties it. So it
-- does not matter when a sample arrives, or what a host's clock says: each counts once, either there or here. In the same way
-- rows of host_minutes wait in host_minutes_new until they are added to host_hours.

-- Samples that ended in a minute of a host; there may be several rows of one minute. Sums, but agent_map_bytes, agent_ring_bytes,
-- agent_ring_peak_bytes and agent_spool_bytes: the largest. They are cut to 2^60.
CREATE TABLE IF NOT EXISTS host_minutes (
	host_id VARCHAR NOT NULL,
	"at" TIMESTAMP NOT NULL,           -- the start of the minute
	since_at TIMESTAMP,                -- of the first sample
	until_at TIMESTAMP NOT NULL,       -- of the last one
	samples BIGINT NOT NULL,           -- how many
	lasted_us BIGINT NOT NULL,         -- the time that they cover
	cpu_user_ns BIGINT NOT NULL,
	cpu_kernel_ns BIGINT NOT NULL,
	cpu_iowait_ns BIGINT NOT NULL,
	cpu_steal_ns BIGINT NOT NULL,
	cpu_idle_ns BIGINT NOT NULL,
	cpu_tracked_ns BIGINT NOT NULL,
	memory_used_bytes BIGINT NOT NULL,
	memory_available_bytes BIGINT NOT NULL,
	swap_used_bytes BIGINT NOT NULL,
	disk_read_bytes BIGINT NOT NULL,
	disk_write_bytes BIGINT NOT NULL,
	disk_reads BIGINT NOT NULL,
	disk_writes BIGINT NOT NULL,
	disk_busy_ns BIGINT NOT NULL,
	net_rx_bytes BIGINT NOT NULL,
	net_tx_bytes BIGINT NOT NULL,
	cpu_pressure_ns BIGINT NOT NULL,
	memory_pressure_ns BIGINT NOT NULL,
	io_pressure_ns BIGINT NOT NULL,
	tracked_processes BIGINT NOT NULL,
	agent_cpu_ns BIGINT NOT NULL,
	agent_rss_bytes BIGINT NOT NULL,
	agent_map_bytes BIGINT NOT NULL,
	agent_ring_bytes BIGINT NOT NULL,
	agent_ring_peak_bytes BIGINT NOT NULL,
	agent_spool_bytes BIGINT NOT NULL,
	agent_programs_ns BIGINT NOT NULL,
	cpu_pressure_full_ns BIGINT NOT NULL,
	memory_pressure_full_ns BIGINT NOT NULL,
	io_pressure_full_ns BIGINT NOT NULL,
	block_requests BIGINT NOT NULL,
	block_tracked_requests BIGINT NOT NULL
);
-- The same of an hour; "at" is its start.
CREATE TABLE IF NOT EXISTS host_hours AS FROM host_minutes LIMIT 0;
CREATE TABLE IF NOT EXISTS host_samples_new AS FROM host_samples LIMIT 0;
CREATE TABLE IF NOT EXISTS host_minutes_new AS FROM host_minutes LIMIT 0;

-- When each host was up, by its samples: one row for a time in which no two samples are more than a minute apart.
CREATE TABLE IF NOT EXISTS host_up (
	host_id VARCHAR NOT NULL,
	since_at TIMESTAMP NOT NULL,
	until_at TIMESTAMP NOT NULL
);
-- The latest sample of each host.
CREATE TABLE IF NOT EXISTS host_latest AS FROM host_samples LIMIT 0;

-- One row: the samples of a file that is older than these tables were added to host_samples_new (views/host_rollups.sql).
CREATE TABLE IF NOT EXISTS host_rollups (begun_at TIMESTAMP NOT NULL);
