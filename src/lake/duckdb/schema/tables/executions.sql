-- SPDX-License-Identifier: Apache-2.0
-- Program images of processes, by (host_id, pid, start_ns, image_seq). Figures are since the start of the image; while it runs
-- they are those of its last record: read execution_now_of.
CREATE TABLE IF NOT EXISTS executions (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	execution_key BIGINT NOT NULL,     -- its number in the tables of samples (execution_keys)
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
	version VARCHAR NOT NULL,          -- of the tool; empty: unknown
	tool_kind VARCHAR NOT NULL,        -- tool interpreter helper launcher shell; empty: no rule knows it
	exe VARCHAR NOT NULL,
	argv VARCHAR[] NOT NULL,           -- masked
	argv_missing_bytes BIGINT NOT NULL, -- cut away
	cwd VARCHAR NOT NULL,
	uid BIGINT NOT NULL,
	cgroup_id BIGINT NOT NULL,
	pid_ns BIGINT NOT NULL,            -- inode of the namespace
	mnt_ns BIGINT NOT NULL,
	pipe_in BIGINT NOT NULL,           -- inode of the pipe at descriptor 0; 0: none, or the parent has the same
	pipe_out BIGINT NOT NULL,          -- at descriptor 1, else at 2
	run_id VARCHAR NOT NULL,           -- empty: in no run
	task_id VARCHAR NOT NULL,          -- empty: in no task
	peak_exact BOOLEAN NOT NULL,       -- false: rss_peak_bytes is an upper bound
	found BOOLEAN NOT NULL,            -- it ran before the agent: figures may include earlier images
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
	sleep_ns BIGINT NOT NULL,          -- in a timer that it set
	poll_ns BIGINT NOT NULL,           -- poll, select, epoll
	other_ns BIGINT NOT NULL,          -- stopped, frozen, terminal, anything else
	threads_ns BIGINT NOT NULL,        -- lifetime of the threads: the sum of all times above
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
	net_connects BIGINT NOT NULL,      -- TCP connections that it opened
	net_accepts BIGINT NOT NULL,       -- TCP connections that it accepted
	net_connect_failures BIGINT NOT NULL,-- TCP: failed attempts
	net_resets BIGINT NOT NULL,        -- TCP connections that either side reset
	net_retransmits BIGINT NOT NULL,   -- TCP: segments sent again
	net_connect_ns BIGINT NOT NULL,    -- the time that net_connects took
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
	poll_timer_ns BIGINT NOT NULL,     -- of poll_ns: ended by its timeout or a timer
	wall_computing_ns BIGINT NOT NULL, -- wall time: at least one thread was on a CPU
	wall_runnable_ns BIGINT NOT NULL,  -- none was, although one was ready
	wall_disk_ns BIGINT NOT NULL,      -- all waited, and so on, as above
	wall_paging_ns BIGINT NOT NULL,
	wall_network_ns BIGINT NOT NULL,
	wall_pipe_read_ns BIGINT NOT NULL,
	wall_pipe_write_ns BIGINT NOT NULL,
	wall_lock_ns BIGINT NOT NULL,
	wall_child_ns BIGINT NOT NULL,
	wall_sleep_ns BIGINT NOT NULL,
	wall_poll_ns BIGINT NOT NULL,
	wall_other_ns BIGINT NOT NULL,
	wall_serial_ns BIGINT NOT NULL     -- of wall_computing_ns: exactly one thread was on a CPU
);
