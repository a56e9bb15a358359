-- SPDX-License-Identifier: Apache-2.0
-- The tables of the lake. Every message of proto/signal.proto that a batch repeats is a table of that name, every field
-- a column of that name (the figures stand flat); the ingest finds them by name and a test holds both together.
--
-- Types: every integer is BIGINT (values above 2^60 are cut to it, so that sums of a few never overflow), _at is a
-- TIMESTAMP in UTC (NULL: not yet, or unknown), repeated strings are VARCHAR[], labels a JSON object. A text that is
-- not known is empty, never NULL.
--
-- Header of every row: who said it (host, boot, agent) and in which batch (its sequence within agent and boot, when the
-- agent closed it by its clock). Of two records with one key the one of the later batch stands.
--
-- No table but the ledger has an index. One writer merges by key (merge_*.sql), and DuckDB's own minima and maxima of
-- blocks find the rows: 4 ms for 10 rows among 3 million. An index made bulk ingest six times slower.

-- By which statements (schema.sql, views.sql, queue.sql) this file was laid out: their hash, one row (duckdb_layout.c).
CREATE TABLE IF NOT EXISTS layout (hash VARCHAR);

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
	seen_at TIMESTAMP,                 -- the agent was alive then
	agent_version VARCHAR NOT NULL,
	provider VARCHAR NOT NULL,         -- aws, gcp; empty: unknown or on premises
	region VARCHAR NOT NULL,
	zone VARCHAR NOT NULL,
	instance_type VARCHAR NOT NULL,
	price_usd_hour DOUBLE NOT NULL,    -- configured on the host; 0: not configured
	agent_started_at TIMESTAMP,
	agent_stopped_at TIMESTAMP,        -- NULL: running
	clock_offset_ns BIGINT NOT NULL,   -- this machine's clock less the host's
	clock_error_ns BIGINT NOT NULL     -- by how much that may be wrong; 0: not known
);

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
	name VARCHAR NOT NULL,             -- as the runtime calls it; empty: not known
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

-- Executions of a pipeline, by run_id.
CREATE TABLE IF NOT EXISTS runs (
	host_id VARCHAR NOT NULL,          -- where its root process is
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	run_id VARCHAR NOT NULL,
	name VARCHAR NOT NULL,
	pipeline VARCHAR NOT NULL,
	engine VARCHAR NOT NULL,           -- snakemake, tracer run, …
	status VARCHAR NOT NULL,           -- queued running succeeded failed killed lost
	pid BIGINT NOT NULL,               -- of its root process
	start_ns BIGINT NOT NULL,          -- boot-time clock of the root process
	uid BIGINT NOT NULL,
	"user" VARCHAR NOT NULL,
	cwd VARCHAR NOT NULL,
	command VARCHAR NOT NULL,          -- masked
	exit_code BIGINT NOT NULL,
	signal BIGINT NOT NULL,
	started_at TIMESTAMP,
	ended_at TIMESTAMP,
	labels JSON NOT NULL,              -- {"key": "value"}
	trace_id VARCHAR NOT NULL,
	task_limit BIGINT NOT NULL,        -- how many tasks at once its engine was told to run; 0: not known
	parent_run_id VARCHAR NOT NULL     -- that it was started in, as its agent calls it; empty: none
);

-- By what runs that several agents tell of may be found to be one, by (run_id, kind, value): join_next.sql.
CREATE TABLE IF NOT EXISTS links (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	run_id VARCHAR NOT NULL,           -- as its agent told it
	kind VARCHAR NOT NULL,             -- folder, job, container, trace
	value VARCHAR NOT NULL,
	lead BOOLEAN NOT NULL              -- false: it is a job of an engine elsewhere
);

-- Runs that are a part of another: what their agents tell of them is entered under that one's run_id, in all tables but
-- runs and links. The lake's own, filled by join_enter.sql.
CREATE TABLE IF NOT EXISTS parts (
	part_id VARCHAR NOT NULL,          -- a run, as its agent told it
	run_id VARCHAR NOT NULL,           -- which it is a part of; no part itself
	reason VARCHAR NOT NULL,           -- the kind of link that said so
	value VARCHAR NOT NULL,
	joined_at TIMESTAMP NOT NULL       -- by this machine's clock
);

-- Units of work that an engine or scheduler started, by task_id.
CREATE TABLE IF NOT EXISTS tasks (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	task_id VARCHAR NOT NULL,
	run_id VARCHAR NOT NULL,
	step VARCHAR NOT NULL,             -- tasks of a run that are the same kind of work
	name VARCHAR NOT NULL,
	sample VARCHAR NOT NULL,           -- the biological sample or shard
	status VARCHAR NOT NULL,           -- running succeeded failed killed lost
	pid BIGINT NOT NULL,               -- of its root process
	start_ns BIGINT NOT NULL,
	exit_code BIGINT NOT NULL,
	signal BIGINT NOT NULL,
	started_at TIMESTAMP,
	ended_at TIMESTAMP,
	cgroup_id BIGINT NOT NULL,
	cpus_requested DOUBLE NOT NULL,    -- 0: unknown
	memory_requested_bytes BIGINT NOT NULL, -- 0: unknown
	requested_by VARCHAR NOT NULL,     -- who asked: "tracer run", "nextflow", "cgroup"; empty: nobody
	attempt BIGINT NOT NULL,           -- 0: unknown
	queued_at TIMESTAMP,               -- when its engine had prepared it, or gave it to a scheduler, as far as is known
	folder VARCHAR NOT NULL            -- that its engine made for it alone; empty: none
);

-- Program images of processes, by (host_id, pid, start_ns, image_seq). Figures are since the image began; while it
-- runs they are what its last record said: read execution_now.
CREATE TABLE IF NOT EXISTS executions (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	pid BIGINT NOT NULL,
	start_ns BIGINT NOT NULL,          -- boot-time clock of the process: with pid its name on the host
	image_seq BIGINT NOT NULL,         -- grows with each exec
	ppid BIGINT NOT NULL,
	parent_start_ns BIGINT NOT NULL,   -- 0: unknown
	started_at TIMESTAMP,              -- of the image
	ended_at TIMESTAMP,
	wall_ns BIGINT NOT NULL,           -- ended: the image's life by the boot-time clock
	status VARCHAR NOT NULL,           -- running succeeded failed killed lost replaced (by the next exec)
	exit_code BIGINT NOT NULL,
	signal BIGINT NOT NULL,
	tool VARCHAR NOT NULL,             -- "samtools sort"
	version VARCHAR NOT NULL,          -- of the tool; empty: not told
	tool_kind VARCHAR NOT NULL,        -- tool interpreter helper launcher shell; empty: no rule knows it
	exe VARCHAR NOT NULL,
	argv VARCHAR[] NOT NULL,           -- masked
	argv_missing_bytes BIGINT NOT NULL, -- cut away
	cwd VARCHAR NOT NULL,
	uid BIGINT NOT NULL,
	cgroup_id BIGINT NOT NULL,
	pid_ns BIGINT NOT NULL,            -- inode of the namespace
	mnt_ns BIGINT NOT NULL,
	run_id VARCHAR NOT NULL,           -- empty: of no run
	task_id VARCHAR NOT NULL,          -- empty: of no task
	peak_exact BOOLEAN NOT NULL,       -- false: rss_peak_bytes is an upper bound
	found BOOLEAN NOT NULL,            -- was running before the agent: figures may hold earlier images
	user_ns BIGINT NOT NULL,           -- on a CPU
	kernel_ns BIGINT NOT NULL,
	runnable_ns BIGINT NOT NULL,       -- ready, waiting for a CPU
	disk_ns BIGINT NOT NULL,           -- blocked on storage inside a system call
	paging_ns BIGINT NOT NULL,         -- blocked in a page fault, or while memory is reclaimed
	network_ns BIGINT NOT NULL,        -- blocked in a socket operation
	pipe_read_ns BIGINT NOT NULL,      -- starved by what writes the pipe
	pipe_write_ns BIGINT NOT NULL,     -- held up by what reads the pipe
	lock_ns BIGINT NOT NULL,           -- futex, file lock, lock of the address space
	child_ns BIGINT NOT NULL,          -- waiting for a child
	sleep_ns BIGINT NOT NULL,          -- in a timer by its own will
	poll_ns BIGINT NOT NULL,           -- poll, select, epoll
	other_ns BIGINT NOT NULL,          -- stopped, frozen, terminal, anything else
	threads_ns BIGINT NOT NULL,        -- the threads' lives: what all times above add up to
	disk_shared_ns BIGINT NOT NULL,    -- of disk_ns: on a network file system
	disk_fuse_ns BIGINT NOT NULL,      -- of disk_ns: on FUSE
	minor_faults BIGINT NOT NULL,
	major_faults BIGINT NOT NULL,
	ctx_voluntary BIGINT NOT NULL,
	ctx_involuntary BIGINT NOT NULL,
	read_chars_bytes BIGINT NOT NULL,  -- through read calls, any descriptor
	write_chars_bytes BIGINT NOT NULL,
	disk_read_bytes BIGINT NOT NULL,   -- caused from storage
	disk_write_bytes BIGINT NOT NULL,  -- dirtied towards storage
	net_rx_bytes BIGINT NOT NULL,      -- TCP and UDP with other hosts
	net_tx_bytes BIGINT NOT NULL,
	net_loopback_rx_bytes BIGINT NOT NULL,-- TCP and UDP within the host
	net_loopback_tx_bytes BIGINT NOT NULL,
	net_unix_rx_bytes BIGINT NOT NULL, -- UNIX sockets
	net_unix_tx_bytes BIGINT NOT NULL,
	net_connects BIGINT NOT NULL,      -- TCP connections that it made
	net_accepts BIGINT NOT NULL,       -- TCP connections that came in
	net_connect_failures BIGINT NOT NULL,-- TCP: attempts that led to no connection
	net_resets BIGINT NOT NULL,        -- TCP connections that either side reset
	net_retransmits BIGINT NOT NULL,   -- TCP: what was sent again
	net_connect_ns BIGINT NOT NULL,    -- how long net_connects took, added
	files_opened BIGINT NOT NULL,      -- descriptors closed, or held at the end
	files_failed BIGINT NOT NULL,      -- opens that failed
	rss_bytes BIGINT NOT NULL,         -- resident at that instant; 0 once ended
	rss_anon_bytes BIGINT NOT NULL,    -- of rss_bytes: private, of no file
	rss_file_bytes BIGINT NOT NULL,    -- of rss_bytes: of mapped files
	rss_shmem_bytes BIGINT NOT NULL,   -- of rss_bytes: shared memory
	swap_bytes BIGINT NOT NULL,        -- swapped out
	rss_peak_bytes BIGINT NOT NULL,    -- the peak of the image
	threads_peak BIGINT NOT NULL,
	gpu_busy_ns BIGINT NOT NULL,       -- its work ran on a GPU
	gpu_memory_bytes BIGINT NOT NULL,  -- on GPUs at that instant; 0 once ended
	gpu_memory_peak_bytes BIGINT NOT NULL,
	poll_network_ns BIGINT NOT NULL,   -- of poll_ns: ended by a socket
	poll_pipe_ns BIGINT NOT NULL,      -- of poll_ns: ended by a pipe
	poll_timer_ns BIGINT NOT NULL       -- of poll_ns: ended by its timeout or a timer
);

-- What an execution's figures grew by between two instants; rss_bytes, rss_peak_bytes, threads_peak: levels at until_at.
CREATE TABLE IF NOT EXISTS samples (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	pid BIGINT NOT NULL,
	start_ns BIGINT NOT NULL,
	image_seq BIGINT NOT NULL,
	run_id VARCHAR NOT NULL,
	task_id VARCHAR NOT NULL,
	since_at TIMESTAMP,
	until_at TIMESTAMP,
	user_ns BIGINT NOT NULL,
	kernel_ns BIGINT NOT NULL,
	runnable_ns BIGINT NOT NULL,
	disk_ns BIGINT NOT NULL,
	paging_ns BIGINT NOT NULL,
	network_ns BIGINT NOT NULL,
	pipe_read_ns BIGINT NOT NULL,
	pipe_write_ns BIGINT NOT NULL,
	lock_ns BIGINT NOT NULL,
	child_ns BIGINT NOT NULL,
	sleep_ns BIGINT NOT NULL,
	poll_ns BIGINT NOT NULL,
	other_ns BIGINT NOT NULL,
	threads_ns BIGINT NOT NULL,
	disk_shared_ns BIGINT NOT NULL,
	disk_fuse_ns BIGINT NOT NULL,
	minor_faults BIGINT NOT NULL,
	major_faults BIGINT NOT NULL,
	ctx_voluntary BIGINT NOT NULL,
	ctx_involuntary BIGINT NOT NULL,
	read_chars_bytes BIGINT NOT NULL,
	write_chars_bytes BIGINT NOT NULL,
	disk_read_bytes BIGINT NOT NULL,
	disk_write_bytes BIGINT NOT NULL,
	net_rx_bytes BIGINT NOT NULL,
	net_tx_bytes BIGINT NOT NULL,
	net_loopback_rx_bytes BIGINT NOT NULL,
	net_loopback_tx_bytes BIGINT NOT NULL,
	net_unix_rx_bytes BIGINT NOT NULL,
	net_unix_tx_bytes BIGINT NOT NULL,
	net_connects BIGINT NOT NULL,
	net_accepts BIGINT NOT NULL,
	net_connect_failures BIGINT NOT NULL,
	net_resets BIGINT NOT NULL,
	net_retransmits BIGINT NOT NULL,
	net_connect_ns BIGINT NOT NULL,
	files_opened BIGINT NOT NULL,
	files_failed BIGINT NOT NULL,
	rss_bytes BIGINT NOT NULL,
	rss_anon_bytes BIGINT NOT NULL,
	rss_file_bytes BIGINT NOT NULL,
	rss_shmem_bytes BIGINT NOT NULL,
	swap_bytes BIGINT NOT NULL,
	rss_peak_bytes BIGINT NOT NULL,
	threads_peak BIGINT NOT NULL,
	gpu_busy_ns BIGINT NOT NULL,
	gpu_memory_bytes BIGINT NOT NULL,
	gpu_memory_peak_bytes BIGINT NOT NULL,
	poll_network_ns BIGINT NOT NULL,
	poll_pipe_ns BIGINT NOT NULL,
	poll_timer_ns BIGINT NOT NULL
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
	cpu_known BOOLEAN NOT NULL         -- false: no tree tells of its CPU time
);

-- What executions moved through sockets, by (host_id, pid, start_ns, image_seq, family, protocol, loopback); counts
-- since the image began.
CREATE TABLE IF NOT EXISTS networks (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	pid BIGINT NOT NULL,
	start_ns BIGINT NOT NULL,
	image_seq BIGINT NOT NULL,
	run_id VARCHAR NOT NULL,
	task_id VARCHAR NOT NULL,
	family VARCHAR NOT NULL,           -- inet inet6 unix other
	protocol VARCHAR NOT NULL,         -- tcp udp stream dgram other
	loopback BOOLEAN NOT NULL,         -- inet, inet6: within the host
	rx_bytes BIGINT NOT NULL,
	tx_bytes BIGINT NOT NULL,
	rx_calls BIGINT NOT NULL,          -- that did not fail
	tx_calls BIGINT NOT NULL,
	connects BIGINT NOT NULL,          -- tcp, as those below
	accepts BIGINT NOT NULL,
	connect_failures BIGINT NOT NULL,
	resets BIGINT NOT NULL,
	retransmits BIGINT NOT NULL,
	connect_ns BIGINT NOT NULL         -- how long its connects took, added
);

-- What executions did with files, said in parts: an execution's counts of one file_id add up; one of the parts bears the
-- path.
CREATE TABLE IF NOT EXISTS files (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	pid BIGINT NOT NULL,
	start_ns BIGINT NOT NULL,
	image_seq BIGINT NOT NULL,
	run_id VARCHAR NOT NULL,
	task_id VARCHAR NOT NULL,
	file_id BIGINT NOT NULL,           -- of what is no regular file, of its kind
	kind VARCHAR NOT NULL,             -- file system pseudo directory pipe socket device other more failed
	path VARCHAR NOT NULL,
	opens BIGINT NOT NULL,
	failures BIGINT NOT NULL,          -- of kind failed: opens
	moved_bytes BIGINT NOT NULL,       -- how far positions moved
	size_bytes BIGINT NOT NULL,        -- at last_at
	reads BOOLEAN NOT NULL,
	writes BOOLEAN NOT NULL,
	mapped BOOLEAN NOT NULL,
	error BIGINT NOT NULL,             -- errno; 0: none
	first_at TIMESTAMP,
	last_at TIMESTAMP
);

-- What came back of executions' requests to block devices, said in parts: the counts of an execution's device and
-- operation add up.
CREATE TABLE IF NOT EXISTS io_latencies (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	pid BIGINT NOT NULL,
	start_ns BIGINT NOT NULL,
	image_seq BIGINT NOT NULL,
	run_id VARCHAR NOT NULL,
	task_id VARCHAR NOT NULL,
	device VARCHAR NOT NULL,           -- as the kernel calls it; empty: of no disk
	operation VARCHAR NOT NULL,        -- read write flush other
	requests BIGINT NOT NULL,          -- that came back, failed or not
	bytes BIGINT NOT NULL,             -- of those that did not fail
	failures BIGINT NOT NULL,
	unfinished BIGINT NOT NULL,        -- at the image's end: not seen to come back
	latency_ns BIGINT NOT NULL,        -- of requests, added
	latencies BIGINT[] NOT NULL        -- requests below 1 us, then from 2^(k-1) to 2^k us; the last: 4.2 s and more
);

-- System calls of executions, said in parts: what an execution has of one class and error adds up.
CREATE TABLE IF NOT EXISTS syscalls (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	pid BIGINT NOT NULL,
	start_ns BIGINT NOT NULL,
	image_seq BIGINT NOT NULL,
	run_id VARCHAR NOT NULL,
	task_id VARCHAR NOT NULL,
	class VARCHAR NOT NULL,            -- open read write metadata sync memory process signal lock poll socket time ipc async
	                                   -- compat other
	error VARCHAR NOT NULL,            -- '': none; 'other': several
	calls BIGINT NOT NULL,             -- that ended so
	time_ns BIGINT NOT NULL            -- which they took, added
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
	block_requests BIGINT NOT NULL,    -- to block devices; 0: the kernel does not tell
	block_tracked_requests BIGINT NOT NULL -- the part that tracked work explains
);

-- GPUs, by (host_id, uuid).
CREATE TABLE IF NOT EXISTS gpus (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	uuid VARCHAR NOT NULL,
	"index" BIGINT NOT NULL,           -- as the driver counts
	name VARCHAR NOT NULL,
	driver VARCHAR NOT NULL,           -- its version, or which
	memory_bytes BIGINT NOT NULL,      -- 0: none of its own, or unknown
	process_busy_known BOOLEAN NOT NULL, -- the driver tells how busy each process keeps it
	seen_at TIMESTAMP,
	gone_at TIMESTAMP                  -- NULL: is there
);

-- Whose CPU time a host's user + kernel time was, by interval; cpu_ns of the rows of one are that time.
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

-- A GPU between two instants. What the driver does not tell is 0; busy_known_ns and throttled_known_ns say for how long
-- it told.
CREATE TABLE IF NOT EXISTS gpu_samples (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	uuid VARCHAR NOT NULL,
	since_at TIMESTAMP,
	until_at TIMESTAMP,
	busy_ns BIGINT NOT NULL,           -- some work ran on it
	busy_known_ns BIGINT NOT NULL,
	memory_busy_ns BIGINT NOT NULL,    -- its memory was read or written
	memory_used_bytes BIGINT NOT NULL, -- at until_at
	power_mean_mw BIGINT NOT NULL,
	temperature_peak_celsius BIGINT NOT NULL,
	clock_mean_mhz BIGINT NOT NULL,
	memory_clock_mean_mhz BIGINT NOT NULL,
	throttled_ns BIGINT NOT NULL,      -- held back for throttle_reasons
	throttled_known_ns BIGINT NOT NULL,
	throttle_reasons VARCHAR NOT NULL, -- "hard_thermal power_cap"
	processes BIGINT NOT NULL,         -- that had it open at until_at
	tracked_busy_ns BIGINT NOT NULL,   -- the part that tracked work explains
	tracked_memory_bytes BIGINT NOT NULL
);

CREATE TABLE IF NOT EXISTS events (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	happened_at TIMESTAMP,
	kind VARCHAR NOT NULL,             -- exit_failed killed oom_kill exec_failed …
	pid BIGINT NOT NULL,               -- 0: of no process
	start_ns BIGINT NOT NULL,
	image_seq BIGINT NOT NULL,
	run_id VARCHAR NOT NULL,
	task_id VARCHAR NOT NULL,
	summary VARCHAR NOT NULL,          -- one sentence for people
	sender_pid BIGINT NOT NULL,        -- who sent the signal, or asked for memory; 0: the kernel, or not seen
	sender_uid BIGINT NOT NULL,
	sender VARCHAR NOT NULL,           -- its tool or name; empty: not seen
	code BIGINT NOT NULL,              -- exit code, signal or errno
	detail VARCHAR NOT NULL,           -- that in words
	path VARCHAR NOT NULL,             -- what was to run; the cgroup that was full
	limit_bytes BIGINT NOT NULL,       -- of that cgroup
	used_bytes BIGINT NOT NULL
);

-- What is missing, said aloud.
CREATE TABLE IF NOT EXISTS losses (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	what VARCHAR NOT NULL,
	count BIGINT NOT NULL,             -- 0: how many cannot be known
	since_at TIMESTAMP,
	until_at TIMESTAMP,
	why VARCHAR NOT NULL
);

-- Instants since when the agent has (again) reported everything alive on its host; see close_lost.sql.
CREATE TABLE IF NOT EXISTS scans (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	scanned_at TIMESTAMP
);

-- What engines told of their runs, by told_id, and of tasks, by (told_id, task): names only. Here host, boot and agent are
-- the lake itself. A text that was not told is empty.
CREATE TABLE IF NOT EXISTS told_runs (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,              -- heard last
	told_id VARCHAR NOT NULL,
	said_by VARCHAR NOT NULL,          -- weblog tower wms-monitor
	engine VARCHAR NOT NULL,
	engine_run_id VARCHAR NOT NULL,
	name VARCHAR NOT NULL,
	pipeline VARCHAR NOT NULL,
	cwd VARCHAR NOT NULL,
	command VARCHAR NOT NULL,          -- masked
	begun_at TIMESTAMP
);
CREATE TABLE IF NOT EXISTS told_tasks (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	told_id VARCHAR NOT NULL,
	task VARCHAR NOT NULL,             -- its id with the engine
	said_by VARCHAR NOT NULL,
	step VARCHAR NOT NULL,
	name VARCHAR NOT NULL,
	sample VARCHAR NOT NULL,
	status VARCHAR NOT NULL,           -- queued running ended cached
	attempt BIGINT NOT NULL,           -- 0: not told
	workdir VARCHAR NOT NULL,
	command VARCHAR NOT NULL,          -- masked
	outputs VARCHAR[] NOT NULL,
	submitted_at TIMESTAMP,
	cpus_requested DOUBLE NOT NULL,    -- 0: not told
	memory_requested_bytes BIGINT NOT NULL -- 0: not told
);
-- Which of our runs and tasks those are (link_told.sql): a row for each that was found. Each attempt at a job of
-- Snakemake's is a task of ours.
CREATE TABLE IF NOT EXISTS run_links (
	run_id VARCHAR NOT NULL,
	told_id VARCHAR NOT NULL,
	reason VARCHAR NOT NULL            -- tasks, folder
);
CREATE TABLE IF NOT EXISTS task_links (
	task_id VARCHAR NOT NULL,
	told_id VARCHAR NOT NULL,
	task VARCHAR NOT NULL
);

-- Which batches are in: written in one transaction with their rows, so that a batch that comes twice is known.
CREATE TABLE IF NOT EXISTS ledger (
	agent_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	host_id VARCHAR NOT NULL,
	created_at TIMESTAMP,              -- by the agent's clock
	received_at TIMESTAMP NOT NULL,    -- by this machine's
	records BIGINT NOT NULL,           -- rows it brought, all tables
	PRIMARY KEY (agent_id, boot_id, sequence)
);
