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
	agent_stopped_at TIMESTAMP         -- NULL: running
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
	started_at TIMESTAMP,
	ended_at TIMESTAMP
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
	status VARCHAR NOT NULL,           -- running succeeded failed killed lost
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
	trace_id VARCHAR NOT NULL
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
	requested_by VARCHAR NOT NULL,     -- who asked: "tracer run", "cgroup"; empty: nobody
	attempt BIGINT NOT NULL            -- 0: unknown
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
	minor_faults BIGINT NOT NULL,
	major_faults BIGINT NOT NULL,
	ctx_voluntary BIGINT NOT NULL,
	ctx_involuntary BIGINT NOT NULL,
	read_chars_bytes BIGINT NOT NULL,  -- through read calls, any descriptor
	write_chars_bytes BIGINT NOT NULL,
	disk_read_bytes BIGINT NOT NULL,   -- caused from storage
	disk_write_bytes BIGINT NOT NULL,  -- dirtied towards storage
	rss_bytes BIGINT NOT NULL,         -- resident at that instant; 0 once ended
	rss_peak_bytes BIGINT NOT NULL,    -- the peak of the image
	threads_peak BIGINT NOT NULL
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
	minor_faults BIGINT NOT NULL,
	major_faults BIGINT NOT NULL,
	ctx_voluntary BIGINT NOT NULL,
	ctx_involuntary BIGINT NOT NULL,
	read_chars_bytes BIGINT NOT NULL,
	write_chars_bytes BIGINT NOT NULL,
	disk_read_bytes BIGINT NOT NULL,
	disk_write_bytes BIGINT NOT NULL,
	rss_bytes BIGINT NOT NULL,
	rss_peak_bytes BIGINT NOT NULL,
	threads_peak BIGINT NOT NULL
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
	agent_rss_bytes BIGINT NOT NULL
);

CREATE TABLE IF NOT EXISTS events (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	happened_at TIMESTAMP,
	kind VARCHAR NOT NULL,             -- exit_failed killed host_up …
	pid BIGINT NOT NULL,               -- 0: of no process
	start_ns BIGINT NOT NULL,
	image_seq BIGINT NOT NULL,
	run_id VARCHAR NOT NULL,
	task_id VARCHAR NOT NULL,
	summary VARCHAR NOT NULL           -- one sentence for people
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
