// SPDX-License-Identifier: Apache-2.0
import type { RunCost } from "./cost/model_cost";
import type { TimeFigure } from "./states_table";

// The objects of the API (docs/openapi.yaml). A null is "unknown", never 0.

export type Status = "queued" | "running" | "succeeded" | "failed" | "killed" | "stalled" | "lost" | "replaced" | "cached";

type WallFigure = Extract<TimeFigure, `wall_${string}`>;

/** Where wall time went (docs/signal.md, Wall time): one number for each row about it in src/signal/figures.tsv. */
export interface WallTimes extends Record<WallFigure, number> {
	/** These two not of tools, processes and samples. */
	wall_unknown_ns?: number | null;
	wall_assumed_ns?: number | null;
}

/** The same, and of threads (Time). */
export interface Times extends WallTimes, Record<TimeFigure, number> {}

/** Of a part of a task the time of threads is not known. */
export type AnyTimes = WallTimes & Partial<Times>;

/** A run that an address can mean. */
export interface Candidate {
	id: string;
	name: string | null;
	engine_run_name: string | null;
	pipeline: string | null;
	status: Status;
	started_at: string | null;
}

/** Figures with what a bar of them shows. */
export interface Summed extends Figures {
	coverage: number | null;
	/** At work (docs/signal.md, As a bar); null where no life was counted. */
	work_ns: number | null;
}

export interface Figures extends Times {
	minor_faults: number;
	major_faults: number;
	ctx_voluntary: number;
	ctx_involuntary: number;
	read_chars_bytes: number;
	write_chars_bytes: number;
	disk_read_bytes: number;
	disk_write_bytes: number;
	net_rx_bytes: number;
	net_tx_bytes: number;
	rss_bytes: number;
	rss_peak_bytes: number;
	threads_peak: number;
	gpu_busy_ns: number;
	gpu_memory_bytes: number;
	gpu_memory_peak_bytes: number;
}

export interface RunRow extends Figures {
	id: string;
	name: string;
	pipeline: string;
	engine: string;
	status: Status;
	user: string;
	started_at: string | null;
	ended_at: string | null;
	wall_s: number | null;
	hosts: string[];
	labels: Record<string, string>;
	parent_run: string | null;
	tasks: number;
	tasks_failed: number;
	tasks_lost: number;
	tasks_running: number;
	executions: number;
	cost_usd: number | null;
	/** In a few words; null: it runs, or was not analysed yet. */
	verdict: string | null;
	/** Tools that failed though the run succeeded; null: not known. */
	failed_tools: number | null;
	/** While it runs, as far as it is known: from 0 to 1, and when it ends. */
	progress?: number | null;
	expected_end_at?: string | null;
}

export interface Page {
	next: string | null;
}

export interface RunList extends Page {
	runs: RunRow[];
}

export interface RunFacts {
	id: string;
	name: string;
	pipeline: string;
	engine: string;
	status: Status;
	user: string;
	started_at: string | null;
	ended_at: string | null;
	wall_s: number | null;
	hosts: string[];
	labels: Record<string, string>;
	parent_run: string | null;
	command: string;
	cwd: string;
}

export interface Totals extends Summed {
	executions: number;
	tasks: number;
	tasks_failed: number;
	tasks_lost: number;
	/** How far positions in regular files moved; null: files were not watched. */
	file_bytes: number | null;
	cost_usd: number | null;
	lost_records: number | null;
}

export interface Step extends Summed {
	name: string;
	tasks: number;
	failed: number;
	lost: number;
	wall_s: { min: number | null; median: number | null; max: number | null };
	cost_usd: number | null;
}

export interface RunReport {
	run: RunFacts;
	totals: Totals;
	/** The executions of tasks, and those of none; null where there are none. */
	shares: { tasks: Summed | null; engine: Summed | null };
	steps: Step[];
	cost: RunCost | null;
}

export interface Task extends Summed {
	id: string;
	step: string;
	name: string;
	sample: string;
	host: string;
	container: string | null;
	container_name: string | null;
	container_image: string | null;
	status: Status;
	exit_code: number | null;
	signal: number | null;
	started_at: string | null;
	ended_at: string | null;
	queued_at: string | null;
	queued_s: number | null;
	queued_for: "cores" | "memory" | "executor" | null;
	wall_s: number | null;
	attempt: number | null;
	cpus_requested: number | null;
	memory_requested_bytes: number | null;
	memory_peak_bytes: number | null;
	executions: number;
	tools: string[];
	cost_usd: number | null;
}

export interface TaskList extends Page {
	tasks: Task[];
}

export interface Tool extends Summed {
	name: string;
	kind: "tool" | "helpers";
	versions: string[];
	executions: number;
	failed: number;
	lost: number;
	wall_s: number | null;
}

export interface Process extends Summed {
	pid: number;
	ppid: number;
	start_ns: number;
	image_seq: number;
	tool: string;
	version: string | null;
	exe: string;
	argv: string[];
	cwd: string;
	task_id: string;
	host: string;
	uid: number;
	status: Status;
	started_at: string | null;
	ended_at: string | null;
	wall_s: number | null;
	exit_code: number | null;
	signal: number | null;
	peak_exact: boolean;
}

export interface ProcessList extends Page {
	processes: Process[];
}

/** What each part means for which kind: docs/signal.md, Events. */
export interface TracerEvent {
	happened_at: string | null;
	kind: string;
	pid: number | null;
	start_ns: number | null;
	task_id: string | null;
	summary: string;
	sender_pid: number | null;
	sender_uid: number | null;
	sender: string | null;
	code: number | null;
	detail: string | null;
	path: string | null;
	limit_bytes: number | null;
	used_bytes: number | null;
	/** Nothing in the run depends on it. */
	expected: boolean;
}

export interface Loss {
	what: string;
	count: number | null;
	since_at: string | null;
	until_at: string | null;
	why: string;
}

export interface EventList {
	events: TracerEvent[];
	losses: Loss[];
}

/** What is drawn of a bucket of the run, a task or a tool. */
export interface Sample {
	at: string;
	key: string;
	user_ns: number;
	kernel_ns: number;
	runnable_ns: number;
	disk_read_bytes: number;
	disk_write_bytes: number;
	rss_bytes: number;
	rss_anon_bytes: number;
	rss_file_bytes: number;
	rss_shmem_bytes: number;
	swap_bytes: number;
}

/** Where the time of its tasks or of its engine went in a bucket of a run. */
export interface ShareSample extends Times {
	at: string;
	key: "tasks" | "engine";
}

export interface SampleList<S = Sample> {
	interval_s: number;
	samples: S[];
}

export interface NetworkRow {
	pid: number;
	start_ns: number;
	image_seq: number;
	tool: string;
	task_id: string | null;
	host_id: string;
	host: string | null;
	family: string;
	protocol: string;
	loopback: boolean;
	rx_bytes: number | null;
	tx_bytes: number | null;
	rx_calls: number | null;
	tx_calls: number | null;
	connects: number | null;
	accepts: number | null;
	connect_failures: number | null;
	resets: number | null;
	retransmits: number | null;
	connect_ns: number | null;
}

export interface NetworkList {
	network: NetworkRow[];
}

export interface SyscallRow {
	tool: string;
	class: string;
	error: string | null;
	calls: number | null;
	time_ns: number | null;
	executions: number;
}

export interface SyscallList {
	syscalls: SyscallRow[];
}

export interface IoRow {
	pid: number;
	start_ns: number;
	image_seq: number;
	tool: string;
	task_id: string | null;
	host_id: string;
	host: string | null;
	device: string | null;
	operation: string;
	requests: number;
	bytes: number;
	failures: number;
	unfinished: number;
	latency_ns: number;
	latencies: number[];
}

export interface IoList {
	io: IoRow[];
}

export interface FileRow {
	kind: string;
	path: string | null;
	opens: number | null;
	failures: number | null;
	moved_bytes: number | null;
	size_bytes: number | null;
	reads: boolean;
	writes: boolean;
	mapped: boolean;
	error: number | null;
	first_at: string | null;
	last_at: string | null;
	tool: string;
	task_id: string | null;
	pid: number;
	start_ns: number;
	image_seq: number;
	host_id: string;
	host: string | null;
}

export interface FileList extends Page {
	files: FileRow[];
}

export interface Container {
	host_id: string;
	host: string | null;
	cgroup_id: number;
	path: string;
	runtime: string | null;
	id: string | null;
	name: string | null;
	image: string | null;
	pod_name: string | null;
	job_id: string | null;
	unit: string | null;
	limits_known: boolean;
	memory_limit_bytes: number | null;
	cpu_limit: number | null;
	started_at: string | null;
	ended_at: string | null;
	executions: number;
	cpu_ns: number | null;
	cpu_periods: number | null;
	cpu_throttled_periods: number | null;
	cpu_throttled_ns: number | null;
	memory_peak_bytes: number | null;
	memory_oom_kills: number | null;
	cpu_pressure_ns: number | null;
	memory_pressure_ns: number | null;
	io_pressure_ns: number | null;
	cpu_pressure_full_ns: number | null;
	memory_pressure_full_ns: number | null;
	io_pressure_full_ns: number | null;
}
