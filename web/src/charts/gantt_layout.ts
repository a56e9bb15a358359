// SPDX-License-Identifier: Apache-2.0
import { instant, plain } from "../lib/format";
import type { Process, SampleList, Task } from "../lib/model";

// The position of each step, task and tool in the timeline. Pure: values in, values out. Times are milliseconds.

export interface Bar {
	task: Task;
	queued: number | null;
	from: number;
	to: number;
	/** It has not ended: its right edge is now. */
	open: boolean;
}

export interface Span {
	from: number;
	to: number;
	failed: boolean;
	title: string;
}

export interface Row {
	kind: "step" | "task" | "lane" | "tool";
	step: string;
	label: string;
	y: number;
	height: number;
	bars: Bar[];
	spans: Span[];
	/** of a step */
	tasks: number;
	failed: number;
	/** Tasks that ended while no agent ran: neither failed nor succeeded. */
	lost: number;
	folded: boolean;
	/** of a task or a tool */
	task: Task | null;
}

export interface Layout {
	rows: Row[];
	height: number;
	bars: number;
	from: number;
	to: number;
	steps: string[];
}

export interface LayoutOptions {
	now: number;
	packed: boolean;
	folded: ReadonlySet<string>;
	opened: ReadonlyMap<string, readonly Process[]>;
}

export const STEP_HEIGHT = 26;
export const TASK_HEIGHT = 22;
export const TOOL_HEIGHT = 16;
export const LANE_HEIGHT = 11;

export function barOf(task: Task, now: number): Bar | null {
	const queued = instant(task.queued_at);
	const started = instant(task.started_at);
	const from = started ?? queued;
	if (from === null) return null;
	const ended = instant(task.ended_at);
	return { task, queued, from, to: Math.max(from, ended ?? now), open: ended === null };
}

/** Puts the bars of one step into as few lanes as possible without overlap; each lane is in the order of time. */
export function pack(bars: readonly Bar[]): Bar[][] {
	const lanes: { bars: Bar[]; end: number }[] = [];
	for (const bar of [...bars].sort((a, b) => (a.queued ?? a.from) - (b.queued ?? b.from))) {
		const begin = bar.queued ?? bar.from;
		const lane = lanes.find((candidate) => candidate.end <= begin);
		if (lane) {
			lane.bars.push(bar);
			lane.end = bar.to;
		} else lanes.push({ bars: [bar], end: bar.to });
	}
	return lanes.map((lane) => lane.bars);
}

interface StepBars {
	name: string;
	bars: Bar[];
	first: number;
}

function bySteps(tasks: readonly Task[], now: number): StepBars[] {
	const steps = new Map<string, StepBars>();
	for (const task of tasks) {
		const bar = barOf(task, now);
		if (bar === null) continue;
		let step = steps.get(task.step);
		if (!step) steps.set(task.step, (step = { name: task.step, bars: [], first: Infinity }));
		step.bars.push(bar);
		step.first = Math.min(step.first, bar.queued ?? bar.from);
	}
	const ordered = [...steps.values()].sort((a, b) => a.first - b.first);
	for (const step of ordered) step.bars.sort((a, b) => a.from - b.from || a.task.id.localeCompare(b.task.id));
	return ordered;
}

/** The executions of a task as one row a tool, in the order in which the tools first ran. */
export function toolSpans(processes: readonly Process[], now: number): Map<string, Span[]> {
	const timed = processes
		.map((process) => ({ process, from: instant(process.started_at) }))
		.filter((entry): entry is { process: Process; from: number } => entry.from !== null)
		.sort((a, b) => a.from - b.from);
	const tools = new Map<string, Span[]>();
	for (const { process, from } of timed) {
		const name = process.tool || process.exe || String(process.pid);
		const failed = process.status === "failed" || process.status === "killed";
		const span = { from, to: instant(process.ended_at) ?? now, failed, title: `${name} (pid ${process.pid})` };
		const spans = tools.get(name);
		if (spans) spans.push(span);
		else tools.set(name, [span]);
	}
	return tools;
}

class Builder {
	readonly rows: Row[] = [];
	bars = 0;
	height = 0;

	add(parts: Pick<Row, "kind" | "step" | "label" | "height"> & Partial<Row>): void {
		const blank = { bars: [], spans: [], tasks: 0, failed: 0, lost: 0, folded: false, task: null };
		this.rows.push({ ...blank, ...parts, y: this.height });
		this.height += parts.height;
		if (parts.kind !== "step" || parts.folded) this.bars += parts.bars?.length ?? 0;
	}
}

function addStep(builder: Builder, step: StepBars, options: LayoutOptions): void {
	const folded = options.folded.has(step.name);
	const failed = step.bars.filter((bar) => isBad(bar.task.status)).length;
	const lost = step.bars.filter((bar) => isLost(bar.task.status)).length;
	const label = plain(step.name) || "(no step)";
	const head = { kind: "step", step: step.name, label, height: STEP_HEIGHT, tasks: step.bars.length } as const;
	builder.add({ ...head, failed, lost, folded, bars: step.bars });
	if (folded) return;
	if (options.packed) {
		for (const bars of pack(step.bars)) {
			builder.add({ kind: "lane", step: step.name, label: "", height: LANE_HEIGHT, bars });
		}
		return;
	}
	for (const bar of step.bars) addTask(builder, step.name, bar, options);
}

/** The name of a task without the name of its step, which is above it. */
export function shortName(task: Pick<Task, "id" | "name" | "step" | "sample">): string {
	const rest = task.name.startsWith(task.step) ? task.name.slice(task.step.length).trim() : "";
	return rest.replace(/^\((.*)\)$/s, "$1") || task.name || task.sample || task.id;
}

function addTask(builder: Builder, step: string, bar: Bar, options: LayoutOptions): void {
	const { task } = bar;
	const processes = options.opened.get(task.id);
	const label = plain(shortName(task));
	builder.add({ kind: "task", step, label, height: TASK_HEIGHT, bars: [bar], task, folded: !processes });
	if (!processes) return;
	for (const [tool, spans] of toolSpans(processes, options.now)) {
		builder.add({ kind: "tool", step, label: plain(tool), height: TOOL_HEIGHT, spans, task });
	}
}

export const isBad = (status: string): boolean => status === "failed" || status === "killed";

/** Ended while no agent ran: neither failed nor succeeded. */
export const isLost = (status: string): boolean => status === "lost";

export function layout(tasks: readonly Task[], options: LayoutOptions): Layout {
	const steps = bySteps(tasks, options.now);
	const builder = new Builder();
	let from = Infinity;
	let to = -Infinity;
	for (const step of steps) {
		addStep(builder, step, options);
		from = Math.min(from, step.first);
		for (const bar of step.bars) to = Math.max(to, bar.to);
	}
	const { rows, height, bars } = builder;
	return { rows, height, bars, from, to, steps: steps.map((step) => step.name) };
}

/** The row at a height, by binary search. */
export function rowAt(rows: readonly Row[], y: number): number {
	let low = 0;
	let high = rows.length - 1;
	while (low <= high) {
		const middle = (low + high) >> 1;
		const row = rows[middle] as Row;
		if (y < row.y) high = middle - 1;
		else if (y >= row.y + row.height) low = middle + 1;
		else return middle;
	}
	return -1;
}

/** The shading of an interval of a bar: the shares on a CPU and waiting for one; the rest waits for something else. */
export interface Shade {
	from: number;
	to: number;
	running: number;
	waiting: number;
}

export function shares(cpu_ns: number, runnable_ns: number, wall_ms: number): { running: number; waiting: number } {
	const whole = Math.max(wall_ms * 1e6, cpu_ns + runnable_ns);
	return whole > 0 ? { running: cpu_ns / whole, waiting: runnable_ns / whole } : { running: 0, waiting: 0 };
}

/** Counts only the part of each interval in which the task ran. */
export function shadesByTask(list: SampleList, bars: ReadonlyMap<string, Bar>): Map<string, Shade[]> {
	const shades = new Map<string, Shade[]>();
	const length = list.interval_s * 1000;
	for (const sample of list.samples) {
		const at = instant(sample.at);
		const bar = bars.get(sample.key);
		if (at === null || !bar) continue;
		const from = Math.max(at, bar.from);
		const to = Math.min(at + length, bar.to);
		if (to <= from) continue;
		const shade = { from, to, ...shares(sample.user_ns + sample.kernel_ns, sample.runnable_ns, to - from) };
		const known = shades.get(sample.key);
		if (known) known.push(shade);
		else shades.set(sample.key, [shade]);
	}
	return shades;
}

const TICKS = [
	0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 10e3, 15e3,
	30e3, 60e3, 120e3, 300e3, 600e3, 900e3, 1800e3, 3600e3, 7200e3, 10800e3, 21600e3, 43200e3, 86400e3,
];

/** The instants of labels, counted from the start of the run, at least `gap` pixels apart. */
export function ticks(from: number, to: number, width: number, gap: number): { step: number; at: number[] } {
	const least = ((to - from) * gap) / Math.max(1, width);
	const step = TICKS.find((size) => size >= least) ?? Math.ceil(least / 86400e3) * 86400e3;
	const at: number[] = [];
	for (let n = Math.ceil(from / step); n * step <= to && at.length < 1000; n++) at.push(n * step);
	return { step, at };
}

/** A tick's label: 0, 250 ms, 15 s, 2m 30s, 1h 05m. */
export function tickLabel(ms: number, step: number): string {
	if (ms === 0) return "0";
	const round = (value: number) => String(Number(value.toFixed(3)));
	if (Math.abs(ms) < 1) return `${round(ms * 1000)} µs`;
	if (Math.abs(ms) < 1000) return `${round(ms)} ms`;
	const seconds = ms / 1000;
	if (seconds < 60 || step < 1000) {
		const minutes = Math.floor(seconds / 60);
		const rest = `${round(seconds - minutes * 60)} s`;
		return minutes > 0 ? `${minutes}m ${rest}` : rest;
	}
	const whole = Math.round(seconds);
	const hours = Math.floor(whole / 3600);
	const minutes = Math.floor((whole % 3600) / 60);
	if (hours > 0) return minutes > 0 ? `${hours}h ${String(minutes).padStart(2, "0")}m` : `${hours}h`;
	return whole % 60 > 0 ? `${minutes}m ${String(whole % 60).padStart(2, "0")}s` : `${minutes}m`;
}
