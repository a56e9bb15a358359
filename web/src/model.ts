// What the API tells, as it tells it. A null is "unknown", never nought.

export type Status = "queued" | "running" | "succeeded" | "failed" | "killed" | "stalled" | "lost" | "replaced";

export interface Figures {
	user_ns: number;
	kernel_ns: number;
	runnable_ns: number;
	minor_faults: number;
	major_faults: number;
	ctx_voluntary: number;
	ctx_involuntary: number;
	read_chars_bytes: number;
	write_chars_bytes: number;
	disk_read_bytes: number;
	disk_write_bytes: number;
	rss_bytes: number;
	rss_peak_bytes: number;
	threads_peak: number;
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
	tasks: number;
	tasks_failed: number;
	tasks_running: number;
	executions: number;
	cost_usd: number | null;
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
	command: string;
	cwd: string;
}

export interface Totals extends Figures {
	executions: number;
	tasks: number;
	cost_usd: number | null;
	coverage: number | null;
	lost_records: number | null;
}

export interface Step extends Figures {
	name: string;
	tasks: number;
	failed: number;
	wall_s: { min: number | null; median: number | null; max: number | null };
	cost_usd: number | null;
}

export interface Cost {
	whole_usd: number | null;
	tasks_usd: number | null;
	engine_usd: number | null;
	idle_usd: number | null;
	price_usd_hour: number | null;
	price_source: string | null;
}

export interface RunReport {
	run: RunFacts;
	totals: Totals;
	steps: Step[];
	cost: Cost | null;
}

export interface Task extends Figures {
	id: string;
	step: string;
	name: string;
	sample: string;
	host: string;
	container: string | null;
	status: Status;
	exit_code: number | null;
	signal: number | null;
	started_at: string | null;
	ended_at: string | null;
	queued_at: string | null;
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

export interface Tool extends Figures {
	name: string;
	executions: number;
	failed: number;
	wall_s: number | null;
}

export interface Process extends Figures {
	pid: number;
	ppid: number;
	start_ns: number;
	image_seq: number;
	tool: string;
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

export interface TracerEvent {
	happened_at: string | null;
	kind: string;
	pid: number;
	start_ns: number;
	task_id: string;
	summary: string;
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

export interface Sample {
	at: string;
	key: string;
	user_ns: number;
	kernel_ns: number;
	runnable_ns: number;
	rss_bytes: number;
	disk_read_bytes: number;
	disk_write_bytes: number;
	read_chars_bytes: number;
	write_chars_bytes: number;
}

export interface SampleList {
	interval_s: number;
	samples: Sample[];
}

export interface Finding {
	kind: string;
	severity: string;
	subject: string;
	summary: string;
	evidence: Record<string, unknown>;
	advice: string;
	saves_usd: number | null;
	saves_s: number | null;
}

export interface HostSample {
	since_at: string | null;
	until_at: string | null;
	cpu_user_ns: number;
	cpu_kernel_ns: number;
	cpu_iowait_ns: number;
	cpu_steal_ns: number;
	cpu_idle_ns: number;
	cpu_tracked_ns: number;
	memory_used_bytes: number;
	memory_available_bytes: number;
	swap_used_bytes: number;
	disk_read_bytes: number;
	disk_write_bytes: number;
	net_rx_bytes: number;
	net_tx_bytes: number;
	cpu_pressure_ns: number;
	memory_pressure_ns: number;
	io_pressure_ns: number;
	tracked_processes: number;
	agent_cpu_ns: number;
	agent_rss_bytes: number;
}

export interface Host extends Partial<HostSample> {
	id: string;
	hostname: string;
	kernel: string;
	arch: string;
	os?: string;
	cpus: number | null;
	memory_bytes: number | null;
	instance_type: string | null;
	provider: string | null;
	region: string | null;
	price_usd_hour: number | null;
	price_source: string | null;
	status: "up" | "down" | "silent";
	booted_at: string | null;
	seen_at: string | null;
	agent_version: string | null;
}

export interface HostWaste {
	id?: string;
	host_id?: string;
	hostname?: string;
	up_s: number | null;
	tracked_s: number | null;
	idle_s: number | null;
	idle_usd: number | null;
}

export interface Waste {
	findings: Finding[];
	hosts: HostWaste[];
}
