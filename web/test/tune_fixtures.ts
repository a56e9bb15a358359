// SPDX-License-Identifier: Apache-2.0
import type { Expected, ExpectedStep, Unusual } from "../src/lib/tune/model_expected";
import type { Sizes, StepSize } from "../src/lib/tune/model_sizes";
import type { Box, StepHistory, StepsAnswer } from "../src/lib/tune/model_steps";

// Answers as the lake gives them, of a pipeline with every kind of step.

const GIB = 2 ** 30;
const S = 1e9;

const BASE: StepSize = {
	step: "align", tasks: 12, tasks_of_history: 60,
	memory_requested_bytes: 16 * GIB, memory_highest_bytes: 5.2 * GIB, memory_advised_bytes: 6.5 * GIB, memory_basis: "linear in input",
	memory_intercept_bytes: 0.4 * GIB, memory_slope: 1.25, memory_factor: 1.1, memory_risk: 0.004, memory_enough: true, memory_tasks: 60, memory_needs_tasks: 0, memory_needs_runs: 0,
	time_requested_ns: 4 * 3600 * S, time_highest_ns: 2140 * S, time_advised_ns: 3000 * S, time_basis: "linear in input",
	time_intercept_ns: 30 * S, time_slope: 0.4, time_factor: 1.2, time_risk: 0.01, time_enough: true, time_tasks: 60, time_needs_tasks: 0, time_needs_runs: 0,
	disk_requested_bytes: null, disk_highest_bytes: 7 * GIB, disk_advised_bytes: 9 * GIB, disk_basis: "constant",
	disk_intercept_bytes: null, disk_slope: null, disk_factor: null, disk_risk: 0.02, disk_enough: true, disk_tasks: 60, disk_needs_tasks: 4, disk_needs_runs: 0,
	cpus_requested: 8, cpus_used_median: 3.4, cpus_used_p95: 3.9, cpus_advised: 4, cpus_slowdown: 1.02, cpus_wants_more: false,
	second_try_factor: 1.5, third_try_factor: 3, out_of_memory: 0, wasted_now_gb_h: 4.1, wasted_then_gb_h: 0.9, program_memory: null,
};

export const stepSize = (parts: Partial<StepSize>): StepSize => ({ ...BASE, ...parts });

const UNKNOWN: Partial<StepSize> = {
	memory_highest_bytes: null, memory_advised_bytes: null, memory_basis: "unknown", memory_intercept_bytes: null, memory_slope: null, memory_factor: null,
	memory_risk: null, memory_enough: false, memory_tasks: 0, memory_needs_tasks: 3, memory_needs_runs: 2,
	time_highest_ns: null, time_advised_ns: null, time_basis: "unknown", time_risk: null, time_enough: false, time_tasks: 0, time_needs_tasks: 3, time_needs_runs: 2,
	disk_highest_bytes: null, disk_advised_bytes: null, disk_basis: "unknown", disk_risk: null, disk_enough: false, disk_tasks: 0, disk_needs_tasks: 3, disk_needs_runs: 2,
	cpus_used_median: null, cpus_used_p95: null, cpus_advised: null, cpus_slowdown: null, cpus_wants_more: null, wasted_now_gb_h: null, wasted_then_gb_h: null,
};

const HOSTILE = "<img src=x onerror=alert(1)>\u202e";

export const sizes: Sizes = {
	id: "run-1",
	engine: "nextflow",
	runs: 5,
	risk: 0.008,
	steps: [
		stepSize({}),
		stepSize({
			step: "sort", memory_requested_bytes: 4 * GIB, memory_highest_bytes: 3.9 * GIB, memory_advised_bytes: 4 * GIB, memory_basis: "constant", memory_slope: null,
			memory_intercept_bytes: null, memory_factor: null, memory_needs_tasks: 0, cpus_requested: 2, cpus_used_median: 2, cpus_used_p95: 2, cpus_advised: 2, cpus_wants_more: true,
			out_of_memory: 2, wasted_now_gb_h: 0.2, wasted_then_gb_h: 0.35, memory_risk: 0, program_memory: "samtools sort -m 3G",
		}),
		stepSize({
			step: "call variants", tasks: 1, tasks_of_history: 2, memory_requested_bytes: 8 * GIB, memory_highest_bytes: 1.1 * GIB, memory_advised_bytes: 8 * GIB,
			memory_basis: "as requested", memory_enough: false, memory_risk: null, memory_tasks: 2, memory_needs_tasks: 1, memory_needs_runs: 1, wasted_now_gb_h: null, wasted_then_gb_h: null,
		}),
		stepSize({
			step: HOSTILE, tasks: 3, tasks_of_history: 3, memory_requested_bytes: null, memory_highest_bytes: 0.3 * GIB, memory_advised_bytes: 0.9 * GIB, memory_basis: "cautious",
			memory_enough: false, memory_risk: null, memory_needs_tasks: 9, memory_needs_runs: 1, cpus_requested: null, cpus_advised: 1, cpus_used_median: 0.05, cpus_used_p95: 0.3,
			time_requested_ns: null, wasted_now_gb_h: null, wasted_then_gb_h: null, second_try_factor: null, third_try_factor: null,
		}),
		stepSize({ step: "report", tasks: 1, tasks_of_history: 1, ...UNKNOWN }),
	],
	settings: {
		nextflow: "process {\n    withName: 'align' {\n        cpus = 4\n        memory = { 6.5.GB * Math.pow(1.5, task.attempt - 1) }\n        time = '50 m'\n    }\n}\n",
		snakemake: 'set-resources:\n  align:\n    mem_mb: "6656 * attempt"\n    runtime: 50\n',
		slurm: null,
	},
};

const usualStep = (parts: Partial<ExpectedStep>): ExpectedStep => ({
	step: "align", usual: "as usual", runs_missing: 0, noticeable: 1.2, done: 4, running: 2, expected_tasks: 12, progress: 0.4, remaining_s: 600, remaining_low_s: 400,
	remaining_high_s: 900, ...parts,
});

export const expectedSteps = {
	usual: usualStep({}),
	slow: usualStep({ step: "sort", usual: "not as usual" }),
	new: usualStep({ step: "report", usual: "not enough history", runs_missing: 2, noticeable: null, expected_tasks: null, progress: null, remaining_s: null, remaining_low_s: null, remaining_high_s: null }),
};

export const unusual: Unusual = {
	kind: "slow", step: "sort", task_id: null, task_name: null, figure: "wall_ns", above: true, so_far: true, value: 90 * S, typical_low: 50 * S, typical_median: 60 * S, typical_high: 70 * S,
	confidence: 0.9987, history_runs: 12, text: "`sort` takes 1m 30s so far; it usually takes 50 s to 1m 10s (12 runs)",
};

export const NOW = Date.parse("2026-11-29T14:00:00");
const at = (s: number): string => new Date(NOW + s * 1000).toISOString();

export const expected: Expected = {
	id: "run-1",
	status: "running",
	runs: 12,
	run: {
		progress: 0.62, expected_end_at: at(2100), low_at: at(1200), high_at: at(3900), remaining_s: 2100, remaining_low_s: 1200, remaining_high_s: 3900, why_unknown: null,
	},
	steps: [expectedSteps.usual, expectedSteps.slow, expectedSteps.new],
	tasks: [],
	unusual: [unusual],
};

const history = (parts: Partial<StepHistory>): StepHistory => ({
	step: "align", runs: 14, tasks: 160, failed: 2, out_of_memory: 1, wall_ns_median: 60 * S, wall_ns_p95: 95 * S, cpu_ns_median: 200 * S, cpu_ns_p95: 300 * S,
	memory_peak_bytes_median: 5 * GIB, memory_peak_bytes_p95: 5.5 * GIB, input_bytes_median: 3 * GIB, input_bytes_p95: 4 * GIB, disk_read_bytes_median: 3 * GIB, disk_read_bytes_p95: 4 * GIB,
	disk_write_bytes_median: GIB, disk_write_bytes_p95: 2 * GIB, ...parts,
});

/** A figure in so many runs, and over all. In the second half of them the tools are newer and it is larger. */
export function boxesOf(figure: string, base: number, runs = 14, growth = 1.4): Box[] {
	const box = (n: number | null, value: number): Box => ({
		figure, run_id: n === null ? null : `run-${n}`, started_at: n === null ? null : at(-86400 * (runs - n)), host_type: n === null ? null : n < 3 ? "c6i.4xlarge" : "8 CPUs, 32 GiB",
		tools: n === null ? null : n * 2 < runs ? "bwa 0.7.17, samtools 1.19" : "bwa 0.7.18, samtools 1.19", tasks: 12,
		min: value * 0.6, q1: value * 0.9, median: value, q3: value * 1.15, p95: value * 1.5, max: value * 1.7,
	});
	const sizes = Array.from({ length: runs }, (_, n) => base * (n * 2 < runs ? 1 : growth) * (1 + 0.1 * Math.sin(n * 2.4)));
	return [box(null, base), ...sizes.map((value, n) => box(n, value))];
}

export const steps: StepsAnswer = {
	pipeline: "variants",
	runs: 14,
	cut: false,
	steps: [history({})],
	boxes: [
		...boxesOf("wall_ns", 60 * S),
		...boxesOf("cpu_ns", 200 * S),
		...boxesOf("memory_peak_bytes", 5 * GIB, 14, 1.05),
		...boxesOf("wall_computing_ns", 40 * S),
		...boxesOf("wall_disk_ns", 15 * S, 14, 2),
		...boxesOf("wall_lock_ns", 0.01 * S),
		...boxesOf("disk_read_bytes", 3 * GIB, 14, 1),
		...boxesOf("input_bytes", 3 * GIB, 14, 1),
	],
};
