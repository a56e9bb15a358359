-- SPDX-License-Identifier: Apache-2.0
-- The tables of version 1: of files that were made before files had a version. Never changed: a file of that version is
-- brought to these tables first, whatever it lacks, and then goes on (duckdb_migrate.c).

CREATE TABLE IF NOT EXISTS containers (
	host_id VARCHAR NOT NULL, boot_id VARCHAR NOT NULL, agent_id VARCHAR NOT NULL, "sequence" BIGINT NOT NULL,
	created_at TIMESTAMP, cgroup_id BIGINT NOT NULL, path VARCHAR NOT NULL, runtime VARCHAR NOT NULL,
	container_id VARCHAR NOT NULL, memory_limit_bytes BIGINT NOT NULL, cpu_limit DOUBLE NOT NULL,
	started_at TIMESTAMP, ended_at TIMESTAMP, "name" VARCHAR NOT NULL, image VARCHAR NOT NULL,
	pod VARCHAR NOT NULL, namespace VARCHAR NOT NULL, job_id VARCHAR NOT NULL, step_id VARCHAR NOT NULL,
	unit VARCHAR NOT NULL, qos VARCHAR NOT NULL, node VARCHAR NOT NULL, limits_known BOOLEAN NOT NULL,
	pod_name VARCHAR NOT NULL
);
CREATE TABLE IF NOT EXISTS container_samples (
	host_id VARCHAR NOT NULL, boot_id VARCHAR NOT NULL, agent_id VARCHAR NOT NULL, "sequence" BIGINT NOT NULL,
	created_at TIMESTAMP, cgroup_id BIGINT NOT NULL, since_at TIMESTAMP, until_at TIMESTAMP,
	cpu_ns BIGINT NOT NULL, cpu_periods BIGINT NOT NULL, cpu_throttled_periods BIGINT NOT NULL,
	cpu_throttled_ns BIGINT NOT NULL, memory_bytes BIGINT NOT NULL, memory_peak_bytes BIGINT NOT NULL,
	memory_limit_bytes BIGINT NOT NULL, memory_high_events BIGINT NOT NULL, memory_max_events BIGINT NOT NULL,
	memory_oom_events BIGINT NOT NULL, memory_oom_kills BIGINT NOT NULL, cpu_pressure_ns BIGINT NOT NULL,
	memory_pressure_ns BIGINT NOT NULL, io_pressure_ns BIGINT NOT NULL, memory_pressure_full_ns BIGINT NOT NULL,
	io_pressure_full_ns BIGINT NOT NULL, cpu_pressure_full_ns BIGINT NOT NULL, cpu_known BOOLEAN NOT NULL
);
CREATE TABLE IF NOT EXISTS events (
	host_id VARCHAR NOT NULL, boot_id VARCHAR NOT NULL, agent_id VARCHAR NOT NULL, "sequence" BIGINT NOT NULL,
	created_at TIMESTAMP, happened_at TIMESTAMP, kind VARCHAR NOT NULL, pid BIGINT NOT NULL,
	start_ns BIGINT NOT NULL, image_seq BIGINT NOT NULL, run_id VARCHAR NOT NULL, task_id VARCHAR NOT NULL,
	summary VARCHAR NOT NULL, sender_pid BIGINT NOT NULL, sender_uid BIGINT NOT NULL, sender VARCHAR NOT NULL,
	code BIGINT NOT NULL, detail VARCHAR NOT NULL, path VARCHAR NOT NULL, limit_bytes BIGINT NOT NULL,
	used_bytes BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS executions (
	host_id VARCHAR NOT NULL, boot_id VARCHAR NOT NULL, agent_id VARCHAR NOT NULL, "sequence" BIGINT NOT NULL,
	created_at TIMESTAMP, pid BIGINT NOT NULL, start_ns BIGINT NOT NULL, image_seq BIGINT NOT NULL,
	ppid BIGINT NOT NULL, parent_start_ns BIGINT NOT NULL, started_at TIMESTAMP, ended_at TIMESTAMP,
	wall_ns BIGINT NOT NULL, status VARCHAR NOT NULL, exit_code BIGINT NOT NULL, signal BIGINT NOT NULL,
	tool VARCHAR NOT NULL, "version" VARCHAR NOT NULL, tool_kind VARCHAR NOT NULL, exe VARCHAR NOT NULL,
	argv VARCHAR[] NOT NULL, argv_missing_bytes BIGINT NOT NULL, cwd VARCHAR NOT NULL, uid BIGINT NOT NULL,
	cgroup_id BIGINT NOT NULL, pid_ns BIGINT NOT NULL, mnt_ns BIGINT NOT NULL, pipe_in BIGINT NOT NULL,
	pipe_out BIGINT NOT NULL, run_id VARCHAR NOT NULL, task_id VARCHAR NOT NULL, peak_exact BOOLEAN NOT NULL,
	found BOOLEAN NOT NULL, user_ns BIGINT NOT NULL, kernel_ns BIGINT NOT NULL, runnable_ns BIGINT NOT NULL,
	disk_ns BIGINT NOT NULL, paging_ns BIGINT NOT NULL, network_ns BIGINT NOT NULL, pipe_read_ns BIGINT NOT NULL,
	pipe_write_ns BIGINT NOT NULL, lock_ns BIGINT NOT NULL, child_ns BIGINT NOT NULL, sleep_ns BIGINT NOT NULL,
	poll_ns BIGINT NOT NULL, other_ns BIGINT NOT NULL, threads_ns BIGINT NOT NULL,
	disk_shared_ns BIGINT NOT NULL, disk_fuse_ns BIGINT NOT NULL, minor_faults BIGINT NOT NULL,
	major_faults BIGINT NOT NULL, ctx_voluntary BIGINT NOT NULL, ctx_involuntary BIGINT NOT NULL,
	read_chars_bytes BIGINT NOT NULL, write_chars_bytes BIGINT NOT NULL, disk_read_bytes BIGINT NOT NULL,
	disk_write_bytes BIGINT NOT NULL, net_rx_bytes BIGINT NOT NULL, net_tx_bytes BIGINT NOT NULL,
	net_loopback_rx_bytes BIGINT NOT NULL, net_loopback_tx_bytes BIGINT NOT NULL,
	net_unix_rx_bytes BIGINT NOT NULL, net_unix_tx_bytes BIGINT NOT NULL, net_connects BIGINT NOT NULL,
	net_accepts BIGINT NOT NULL, net_connect_failures BIGINT NOT NULL, net_resets BIGINT NOT NULL,
	net_retransmits BIGINT NOT NULL, net_connect_ns BIGINT NOT NULL, files_opened BIGINT NOT NULL,
	files_failed BIGINT NOT NULL, rss_bytes BIGINT NOT NULL, rss_anon_bytes BIGINT NOT NULL,
	rss_file_bytes BIGINT NOT NULL, rss_shmem_bytes BIGINT NOT NULL, swap_bytes BIGINT NOT NULL,
	rss_peak_bytes BIGINT NOT NULL, threads_peak BIGINT NOT NULL, gpu_busy_ns BIGINT NOT NULL,
	gpu_memory_bytes BIGINT NOT NULL, gpu_memory_peak_bytes BIGINT NOT NULL, poll_network_ns BIGINT NOT NULL,
	poll_pipe_ns BIGINT NOT NULL, poll_timer_ns BIGINT NOT NULL, wall_computing_ns BIGINT NOT NULL,
	wall_runnable_ns BIGINT NOT NULL, wall_disk_ns BIGINT NOT NULL, wall_paging_ns BIGINT NOT NULL,
	wall_network_ns BIGINT NOT NULL, wall_pipe_read_ns BIGINT NOT NULL, wall_pipe_write_ns BIGINT NOT NULL,
	wall_lock_ns BIGINT NOT NULL, wall_child_ns BIGINT NOT NULL, wall_sleep_ns BIGINT NOT NULL,
	wall_poll_ns BIGINT NOT NULL, wall_other_ns BIGINT NOT NULL, wall_serial_ns BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS files (
	host_id VARCHAR NOT NULL, boot_id VARCHAR NOT NULL, agent_id VARCHAR NOT NULL, "sequence" BIGINT NOT NULL,
	created_at TIMESTAMP, pid BIGINT NOT NULL, start_ns BIGINT NOT NULL, image_seq BIGINT NOT NULL,
	run_id VARCHAR NOT NULL, task_id VARCHAR NOT NULL, file_id BIGINT NOT NULL, kind VARCHAR NOT NULL,
	path VARCHAR NOT NULL, opens BIGINT NOT NULL, failures BIGINT NOT NULL, moved_bytes BIGINT NOT NULL,
	size_bytes BIGINT NOT NULL, reads BOOLEAN NOT NULL, writes BOOLEAN NOT NULL, mapped BOOLEAN NOT NULL,
	"error" BIGINT NOT NULL, first_at TIMESTAMP, last_at TIMESTAMP
);
CREATE TABLE IF NOT EXISTS gpus (
	host_id VARCHAR NOT NULL, boot_id VARCHAR NOT NULL, agent_id VARCHAR NOT NULL, "sequence" BIGINT NOT NULL,
	created_at TIMESTAMP, uuid VARCHAR NOT NULL, "index" BIGINT NOT NULL, "name" VARCHAR NOT NULL,
	driver VARCHAR NOT NULL, memory_bytes BIGINT NOT NULL, process_busy_known BOOLEAN NOT NULL,
	seen_at TIMESTAMP, gone_at TIMESTAMP
);
CREATE TABLE IF NOT EXISTS gpu_samples (
	host_id VARCHAR NOT NULL, boot_id VARCHAR NOT NULL, agent_id VARCHAR NOT NULL, "sequence" BIGINT NOT NULL,
	created_at TIMESTAMP, uuid VARCHAR NOT NULL, since_at TIMESTAMP, until_at TIMESTAMP, busy_ns BIGINT NOT NULL,
	busy_known_ns BIGINT NOT NULL, memory_busy_ns BIGINT NOT NULL, memory_used_bytes BIGINT NOT NULL,
	power_mean_mw BIGINT NOT NULL, temperature_peak_celsius BIGINT NOT NULL, clock_mean_mhz BIGINT NOT NULL,
	memory_clock_mean_mhz BIGINT NOT NULL, throttled_ns BIGINT NOT NULL, throttled_known_ns BIGINT NOT NULL,
	throttle_reasons VARCHAR NOT NULL, processes BIGINT NOT NULL, tracked_busy_ns BIGINT NOT NULL,
	tracked_memory_bytes BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS hosts (
	host_id VARCHAR NOT NULL, boot_id VARCHAR NOT NULL, agent_id VARCHAR NOT NULL, "sequence" BIGINT NOT NULL,
	created_at TIMESTAMP, hostname VARCHAR NOT NULL, kernel VARCHAR NOT NULL, arch VARCHAR NOT NULL,
	os VARCHAR NOT NULL, cpus BIGINT NOT NULL, memory_bytes BIGINT NOT NULL, booted_at TIMESTAMP,
	seen_at TIMESTAMP, agent_version VARCHAR NOT NULL, provider VARCHAR NOT NULL, region VARCHAR NOT NULL,
	"zone" VARCHAR NOT NULL, instance_type VARCHAR NOT NULL, price_usd_hour DOUBLE NOT NULL,
	agent_started_at TIMESTAMP, agent_stopped_at TIMESTAMP, clock_offset_ns BIGINT NOT NULL,
	clock_error_ns BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS host_samples (
	host_id VARCHAR NOT NULL, boot_id VARCHAR NOT NULL, agent_id VARCHAR NOT NULL, "sequence" BIGINT NOT NULL,
	created_at TIMESTAMP, since_at TIMESTAMP, until_at TIMESTAMP, cpu_user_ns BIGINT NOT NULL,
	cpu_kernel_ns BIGINT NOT NULL, cpu_iowait_ns BIGINT NOT NULL, cpu_steal_ns BIGINT NOT NULL,
	cpu_idle_ns BIGINT NOT NULL, cpu_tracked_ns BIGINT NOT NULL, memory_used_bytes BIGINT NOT NULL,
	memory_available_bytes BIGINT NOT NULL, swap_used_bytes BIGINT NOT NULL, disk_read_bytes BIGINT NOT NULL,
	disk_write_bytes BIGINT NOT NULL, disk_reads BIGINT NOT NULL, disk_writes BIGINT NOT NULL,
	disk_busy_ns BIGINT NOT NULL, net_rx_bytes BIGINT NOT NULL, net_tx_bytes BIGINT NOT NULL,
	cpu_pressure_ns BIGINT NOT NULL, memory_pressure_ns BIGINT NOT NULL, io_pressure_ns BIGINT NOT NULL,
	tracked_processes BIGINT NOT NULL, agent_cpu_ns BIGINT NOT NULL, agent_rss_bytes BIGINT NOT NULL,
	agent_map_bytes BIGINT NOT NULL, agent_ring_bytes BIGINT NOT NULL, agent_ring_peak_bytes BIGINT NOT NULL,
	agent_spool_bytes BIGINT NOT NULL, agent_programs_ns BIGINT NOT NULL, cpu_pressure_full_ns BIGINT NOT NULL,
	memory_pressure_full_ns BIGINT NOT NULL, io_pressure_full_ns BIGINT NOT NULL, block_requests BIGINT NOT NULL,
	block_tracked_requests BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS io_latencies (
	host_id VARCHAR NOT NULL, boot_id VARCHAR NOT NULL, agent_id VARCHAR NOT NULL, "sequence" BIGINT NOT NULL,
	created_at TIMESTAMP, pid BIGINT NOT NULL, start_ns BIGINT NOT NULL, image_seq BIGINT NOT NULL,
	run_id VARCHAR NOT NULL, task_id VARCHAR NOT NULL, device VARCHAR NOT NULL, operation VARCHAR NOT NULL,
	requests BIGINT NOT NULL, bytes BIGINT NOT NULL, failures BIGINT NOT NULL, unfinished BIGINT NOT NULL,
	latency_ns BIGINT NOT NULL, latencies BIGINT[] NOT NULL
);
CREATE TABLE IF NOT EXISTS layout (
	hash VARCHAR
);
CREATE TABLE IF NOT EXISTS ledger (
	agent_id VARCHAR, boot_id VARCHAR, "sequence" BIGINT, host_id VARCHAR NOT NULL, created_at TIMESTAMP,
	received_at TIMESTAMP NOT NULL, records BIGINT NOT NULL, PRIMARY KEY(agent_id, boot_id, "sequence")
);
CREATE TABLE IF NOT EXISTS links (
	host_id VARCHAR NOT NULL, boot_id VARCHAR NOT NULL, agent_id VARCHAR NOT NULL, "sequence" BIGINT NOT NULL,
	created_at TIMESTAMP, run_id VARCHAR NOT NULL, kind VARCHAR NOT NULL, "value" VARCHAR NOT NULL,
	lead BOOLEAN NOT NULL
);
CREATE TABLE IF NOT EXISTS losses (
	host_id VARCHAR NOT NULL, boot_id VARCHAR NOT NULL, agent_id VARCHAR NOT NULL, "sequence" BIGINT NOT NULL,
	created_at TIMESTAMP, what VARCHAR NOT NULL, count BIGINT NOT NULL, since_at TIMESTAMP, until_at TIMESTAMP,
	why VARCHAR NOT NULL
);
CREATE TABLE IF NOT EXISTS networks (
	host_id VARCHAR NOT NULL, boot_id VARCHAR NOT NULL, agent_id VARCHAR NOT NULL, "sequence" BIGINT NOT NULL,
	created_at TIMESTAMP, pid BIGINT NOT NULL, start_ns BIGINT NOT NULL, image_seq BIGINT NOT NULL,
	run_id VARCHAR NOT NULL, task_id VARCHAR NOT NULL, "family" VARCHAR NOT NULL, protocol VARCHAR NOT NULL,
	loopback BOOLEAN NOT NULL, rx_bytes BIGINT NOT NULL, tx_bytes BIGINT NOT NULL, rx_calls BIGINT NOT NULL,
	tx_calls BIGINT NOT NULL, connects BIGINT NOT NULL, accepts BIGINT NOT NULL,
	connect_failures BIGINT NOT NULL, resets BIGINT NOT NULL, retransmits BIGINT NOT NULL,
	connect_ns BIGINT NOT NULL, peer VARCHAR NOT NULL
);
CREATE TABLE IF NOT EXISTS parts (
	part_id VARCHAR NOT NULL, run_id VARCHAR NOT NULL, reason VARCHAR NOT NULL, "value" VARCHAR NOT NULL,
	joined_at TIMESTAMP NOT NULL
);
CREATE TABLE IF NOT EXISTS runs (
	host_id VARCHAR NOT NULL, boot_id VARCHAR NOT NULL, agent_id VARCHAR NOT NULL, "sequence" BIGINT NOT NULL,
	created_at TIMESTAMP, run_id VARCHAR NOT NULL, "name" VARCHAR NOT NULL, pipeline VARCHAR NOT NULL,
	engine VARCHAR NOT NULL, status VARCHAR NOT NULL, pid BIGINT NOT NULL, start_ns BIGINT NOT NULL,
	uid BIGINT NOT NULL, "user" VARCHAR NOT NULL, cwd VARCHAR NOT NULL, command VARCHAR NOT NULL,
	exit_code BIGINT NOT NULL, signal BIGINT NOT NULL, started_at TIMESTAMP, ended_at TIMESTAMP,
	labels JSON NOT NULL, trace_id VARCHAR NOT NULL, task_limit BIGINT NOT NULL, parent_run_id VARCHAR NOT NULL
);
CREATE TABLE IF NOT EXISTS run_links (
	run_id VARCHAR NOT NULL, told_id VARCHAR NOT NULL, reason VARCHAR NOT NULL
);
CREATE TABLE IF NOT EXISTS samples (
	host_id VARCHAR NOT NULL, boot_id VARCHAR NOT NULL, agent_id VARCHAR NOT NULL, "sequence" BIGINT NOT NULL,
	created_at TIMESTAMP, pid BIGINT NOT NULL, start_ns BIGINT NOT NULL, image_seq BIGINT NOT NULL,
	run_id VARCHAR NOT NULL, task_id VARCHAR NOT NULL, since_at TIMESTAMP, until_at TIMESTAMP,
	user_ns BIGINT NOT NULL, kernel_ns BIGINT NOT NULL, runnable_ns BIGINT NOT NULL, disk_ns BIGINT NOT NULL,
	paging_ns BIGINT NOT NULL, network_ns BIGINT NOT NULL, pipe_read_ns BIGINT NOT NULL,
	pipe_write_ns BIGINT NOT NULL, lock_ns BIGINT NOT NULL, child_ns BIGINT NOT NULL, sleep_ns BIGINT NOT NULL,
	poll_ns BIGINT NOT NULL, other_ns BIGINT NOT NULL, threads_ns BIGINT NOT NULL,
	disk_shared_ns BIGINT NOT NULL, disk_fuse_ns BIGINT NOT NULL, minor_faults BIGINT NOT NULL,
	major_faults BIGINT NOT NULL, ctx_voluntary BIGINT NOT NULL, ctx_involuntary BIGINT NOT NULL,
	read_chars_bytes BIGINT NOT NULL, write_chars_bytes BIGINT NOT NULL, disk_read_bytes BIGINT NOT NULL,
	disk_write_bytes BIGINT NOT NULL, net_rx_bytes BIGINT NOT NULL, net_tx_bytes BIGINT NOT NULL,
	net_loopback_rx_bytes BIGINT NOT NULL, net_loopback_tx_bytes BIGINT NOT NULL,
	net_unix_rx_bytes BIGINT NOT NULL, net_unix_tx_bytes BIGINT NOT NULL, net_connects BIGINT NOT NULL,
	net_accepts BIGINT NOT NULL, net_connect_failures BIGINT NOT NULL, net_resets BIGINT NOT NULL,
	net_retransmits BIGINT NOT NULL, net_connect_ns BIGINT NOT NULL, files_opened BIGINT NOT NULL,
	files_failed BIGINT NOT NULL, rss_bytes BIGINT NOT NULL, rss_anon_bytes BIGINT NOT NULL,
	rss_file_bytes BIGINT NOT NULL, rss_shmem_bytes BIGINT NOT NULL, swap_bytes BIGINT NOT NULL,
	rss_peak_bytes BIGINT NOT NULL, threads_peak BIGINT NOT NULL, gpu_busy_ns BIGINT NOT NULL,
	gpu_memory_bytes BIGINT NOT NULL, gpu_memory_peak_bytes BIGINT NOT NULL, poll_network_ns BIGINT NOT NULL,
	poll_pipe_ns BIGINT NOT NULL, poll_timer_ns BIGINT NOT NULL, wall_computing_ns BIGINT NOT NULL,
	wall_runnable_ns BIGINT NOT NULL, wall_disk_ns BIGINT NOT NULL, wall_paging_ns BIGINT NOT NULL,
	wall_network_ns BIGINT NOT NULL, wall_pipe_read_ns BIGINT NOT NULL, wall_pipe_write_ns BIGINT NOT NULL,
	wall_lock_ns BIGINT NOT NULL, wall_child_ns BIGINT NOT NULL, wall_sleep_ns BIGINT NOT NULL,
	wall_poll_ns BIGINT NOT NULL, wall_other_ns BIGINT NOT NULL, wall_serial_ns BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS scans (
	host_id VARCHAR NOT NULL, boot_id VARCHAR NOT NULL, agent_id VARCHAR NOT NULL, "sequence" BIGINT NOT NULL,
	created_at TIMESTAMP, scanned_at TIMESTAMP
);
CREATE TABLE IF NOT EXISTS syscalls (
	host_id VARCHAR NOT NULL, boot_id VARCHAR NOT NULL, agent_id VARCHAR NOT NULL, "sequence" BIGINT NOT NULL,
	created_at TIMESTAMP, pid BIGINT NOT NULL, start_ns BIGINT NOT NULL, image_seq BIGINT NOT NULL,
	run_id VARCHAR NOT NULL, task_id VARCHAR NOT NULL, "class" VARCHAR NOT NULL, "error" VARCHAR NOT NULL,
	calls BIGINT NOT NULL, time_ns BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS tasks (
	host_id VARCHAR NOT NULL, boot_id VARCHAR NOT NULL, agent_id VARCHAR NOT NULL, "sequence" BIGINT NOT NULL,
	created_at TIMESTAMP, task_id VARCHAR NOT NULL, run_id VARCHAR NOT NULL, step VARCHAR NOT NULL,
	"name" VARCHAR NOT NULL, "sample" VARCHAR NOT NULL, status VARCHAR NOT NULL, pid BIGINT NOT NULL,
	start_ns BIGINT NOT NULL, exit_code BIGINT NOT NULL, signal BIGINT NOT NULL, started_at TIMESTAMP,
	ended_at TIMESTAMP, cgroup_id BIGINT NOT NULL, cpus_requested DOUBLE NOT NULL,
	memory_requested_bytes BIGINT NOT NULL, requested_by VARCHAR NOT NULL, attempt BIGINT NOT NULL,
	queued_at TIMESTAMP, folder VARCHAR NOT NULL
);
CREATE TABLE IF NOT EXISTS task_links (
	task_id VARCHAR NOT NULL, told_id VARCHAR NOT NULL, task VARCHAR NOT NULL
);
CREATE TABLE IF NOT EXISTS told_runs (
	host_id VARCHAR NOT NULL, boot_id VARCHAR NOT NULL, agent_id VARCHAR NOT NULL, "sequence" BIGINT NOT NULL,
	created_at TIMESTAMP, told_id VARCHAR NOT NULL, said_by VARCHAR NOT NULL, engine VARCHAR NOT NULL,
	engine_run_id VARCHAR NOT NULL, "name" VARCHAR NOT NULL, pipeline VARCHAR NOT NULL, cwd VARCHAR NOT NULL,
	command VARCHAR NOT NULL, begun_at TIMESTAMP
);
CREATE TABLE IF NOT EXISTS told_tasks (
	host_id VARCHAR NOT NULL, boot_id VARCHAR NOT NULL, agent_id VARCHAR NOT NULL, "sequence" BIGINT NOT NULL,
	created_at TIMESTAMP, told_id VARCHAR NOT NULL, task VARCHAR NOT NULL, said_by VARCHAR NOT NULL,
	step VARCHAR NOT NULL, "name" VARCHAR NOT NULL, "sample" VARCHAR NOT NULL, status VARCHAR NOT NULL,
	attempt BIGINT NOT NULL, workdir VARCHAR NOT NULL, command VARCHAR NOT NULL, outputs VARCHAR[] NOT NULL,
	submitted_at TIMESTAMP, cpus_requested DOUBLE NOT NULL, memory_requested_bytes BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS untracked (
	host_id VARCHAR NOT NULL, boot_id VARCHAR NOT NULL, agent_id VARCHAR NOT NULL, "sequence" BIGINT NOT NULL,
	created_at TIMESTAMP, since_at TIMESTAMP, until_at TIMESTAMP, kind VARCHAR NOT NULL, path VARCHAR NOT NULL,
	cgroups BIGINT NOT NULL, cpu_ns BIGINT NOT NULL, memory_bytes BIGINT NOT NULL, memory_known BOOLEAN NOT NULL
);
