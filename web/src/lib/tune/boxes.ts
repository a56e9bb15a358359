// SPDX-License-Identifier: Apache-2.0
import { byName, instant, trimmed } from "../format";
import { WALL_ROWS } from "../states_table";
import type { Box } from "./model_steps";

// The history of a step as box plots, a box a run: what there is to draw, and where. Pure.

/** A box of which the figure is known. */
export interface Drawn {
	run_id: string;
	started_at: string | null;
	host_type: string | null;
	tools: string | null;
	tasks: number;
	min: number;
	q1: number;
	median: number;
	q3: number;
	p95: number;
	max: number;
}

/** A figure by run, the earliest first; null where a run has none of it. */
export interface Plot {
	figure: string;
	title: string;
	help: string;
	/** Over all runs. */
	median: number | null;
	runs: (Drawn | null)[];
	/** The tone of its class of wall time; null: it is none. */
	tone: string | null;
}

/** A run of the history. */
export interface PastRun {
	id: string;
	started_at: string | null;
	host_type: string | null;
	tools: string | null;
}

const TITLES: Record<string, readonly [string, string]> = {
	wall_ns: ["Wall time", "From begin to end"],
	cpu_ns: ["CPU time", "User and kernel time of all its processes"],
	memory_peak_bytes: ["Peak memory", "The most that a memory limit would have been charged with"],
	input_bytes: ["Input", "Sizes of the files that it read and did not write"],
	output_bytes: ["Output", "Sizes of the files that it wrote"],
	disk_read_bytes: ["Read from storage", "What storage had to read for it"],
	disk_write_bytes: ["Written to storage", "What storage had to write for it"],
	network_bytes: ["Network", "Received and sent through sockets"],
	throughput_bytes_per_s: ["Input a second", "How fast it went through its input"],
};

/** In the order in which they are shown; classes of wall time come after the memory. */
const FIRST = ["wall_ns", "cpu_ns", "memory_peak_bytes"];
const LAST = ["input_bytes", "disk_read_bytes", "disk_write_bytes", "output_bytes", "throughput_bytes_per_s", "network_bytes"];
const CLASSES = WALL_ROWS.map(({ key }) => `${key}_ns`);
const ORDER = [...FIRST, ...CLASSES, ...LAST];

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function wordsOf(figure: string): { title: string; help: string; tone: string | null } {
	const known = Object.hasOwn(TITLES, figure) ? TITLES[figure] : undefined;
	if (known) return { title: known[0], help: known[1], tone: null };
	const state = WALL_ROWS.find(({ key }) => `${key}_ns` === figure);
	return state ? { title: capital(state.name), help: `${state.help}. A class of wall time`, tone: state.tone } : { title: figure, help: figure, tone: null };
}

function drawnOf(box: Box | undefined): Drawn | null {
	if (!box || box.run_id === null || box.tasks === 0) return null;
	const { min, q1, median, q3, p95, max } = box;
	if (min === null || q1 === null || median === null || q3 === null || p95 === null || max === null) return null;
	return { ...box, run_id: box.run_id, min, q1, median, q3, p95, max };
}

const startOf = (text: string | null): number => instant(text) ?? 0;

/** The runs of the boxes, the earliest first. */
export function runsOf(boxes: readonly Box[]): PastRun[] {
	const runs = new Map<string, PastRun>();
	for (const { run_id: id, started_at, host_type, tools } of boxes) if (id !== null && !runs.has(id)) runs.set(id, { id, started_at, host_type, tools });
	return [...runs.values()].sort((a, b) => startOf(a.started_at) - startOf(b.started_at));
}

/** A plot for each figure that is known of one of the runs. */
export function plotsOf(boxes: readonly Box[], runs: readonly PastRun[]): Plot[] {
	const figures = new Map<string, Box[]>();
	for (const box of boxes) {
		const own = figures.get(box.figure);
		if (own) own.push(box);
		else figures.set(box.figure, [box]);
	}
	const placed = (figure: string) => (ORDER.includes(figure) ? ORDER.indexOf(figure) : ORDER.length);
	const names = [...figures.keys()].sort((a, b) => placed(a) - placed(b));
	return names
		.map((figure): Plot => {
			const own = figures.get(figure) ?? [];
			const byRun = new Map(own.map((box) => [box.run_id, box]));
			return { figure, ...wordsOf(figure), median: byRun.get(null)?.median ?? null, runs: runs.map(({ id }) => drawnOf(byRun.get(id))) };
		})
		.filter((plot) => plot.runs.some((one) => one !== null && one.max > 0));
}

/** From this share of the wall time of a run on, a class of it is shown without being asked for. */
const MATTERS = 0.05;

const isClass = (plot: Plot): boolean => CLASSES.includes(plot.figure);

/** Whether a plot is worth showing first: a class of wall time where it took a good part of a run. */
export function matters(plot: Plot, plots: readonly Plot[]): boolean {
	if (!isClass(plot)) return true;
	const wall = plots.find(({ figure }) => figure === "wall_ns")?.runs ?? [];
	return plot.runs.some((one, n) => one !== null && one.q3 >= MATTERS * (wall[n]?.median ?? Infinity));
}

/** What differs between a run and the one before it. */
export interface Change {
	/** Among the runs. */
	at: number;
	what: "host type" | "tools";
	from: string;
	to: string;
}

export function changesOf(runs: readonly PastRun[]): Change[] {
	const changes: Change[] = [];
	const known = { host_type: "", tools: "" };
	for (const [at, run] of runs.entries()) {
		for (const key of ["host_type", "tools"] as const) {
			const to = run[key] ?? "";
			if (to !== "" && known[key] !== "" && to !== known[key]) changes.push({ at, what: key === "tools" ? "tools" : "host type", from: known[key], to });
			if (to !== "") known[key] = to;
		}
	}
	return changes;
}

/** The tools that differ of two lists "bwa 0.7.17, samtools 1.21". */
export function toolsChanged(from: string, to: string): { gone: string[]; come: string[] } {
	const list = (text: string) => text.split(",").map((one) => one.trim()).filter(Boolean);
	const [before, after] = [list(from), list(to)];
	return { gone: before.filter((one) => !after.includes(one)), come: after.filter((one) => !before.includes(one)) };
}

const SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];

/** Round steps of an axis: of seconds those of a clock, of bytes powers of two, else 1, 2 and 5. */
function stepOf(figure: string, least: number): number {
	if (/_bytes(_|$)/.test(figure)) return 2 ** Math.ceil(Math.log2(Math.max(1, least)));
	const clock = SECONDS.find((seconds) => seconds * 1e9 >= least);
	if (figure.endsWith("_ns") && least > 5e8 && clock) return clock * 1e9;
	const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
	return power * ([1, 2, 5, 10].find((n) => n * power >= least) ?? 10);
}

export interface Axis {
	/** At the top; the bottom is 0. */
	most: number;
	marks: { value: number; text: string }[];
}

/** An axis from 0 on with at most `count` marks above it. */
export function axisOf(figure: string, largest: number, count: number): Axis {
	const step = stepOf(figure, Math.max(largest, 1e-9) / count);
	const most = Math.max(1, Math.ceil(largest / step)) * step;
	const marks = Array.from({ length: Math.round(most / step) + 1 }, (_, n) => ({ value: n * step, text: n === 0 ? "0" : trimmed(byName(figure, n * step)) }));
	return { most, marks };
}
