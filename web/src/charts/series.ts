// SPDX-License-Identifier: Apache-2.0
import { instant } from "../lib/format";
import type { Sample, SampleList, ShareSample } from "../lib/model";
import type { HostSample } from "../lib/model_host";
import { STATES, WALLS } from "../lib/states";
import type { State } from "../lib/states";

// Samples as stacked curves over a grid of equal intervals. Pure.

export interface Curve {
	key: string;
	values: number[];
	total: number;
}

export interface Curves {
	/** Starts of the intervals, in seconds since 1970; one more than there are intervals, to close the last. */
	times: number[];
	curves: Curve[];
	/** The number of small ones that the last curve adds up. */
	others: number;
}

export const OTHERS = "\u0000others";

export interface Measure<S = Sample> {
	value: (sample: S) => number;
	/** A level keeps its value until the next sample; a rate is 0 where there is no sample. */
	level: boolean;
}

export const cpuOf = (interval_s: number): Measure => ({
	value: (sample) => (sample.user_ns + sample.kernel_ns) / 1e9 / interval_s,
	level: false,
});

export const waitOf = (interval_s: number): Measure => ({
	value: (sample) => sample.runnable_ns / 1e9 / interval_s,
	level: false,
});

/** A task that does nothing gets no new samples but keeps its memory; of a tool, no process need be alive in between. */
export const memoryOf = (held: boolean): Measure => ({ value: (sample) => sample.rss_bytes, level: held });

/** What resident memory consists of, and what was swapped out; `rest` was never sampled by kind. */
export const MEMORY_KINDS = [
	{ name: "its own", value: (sample: Sample) => sample.rss_anon_bytes },
	{ name: "of files", value: (sample: Sample) => sample.rss_file_bytes },
	{ name: "shared", value: (sample: Sample) => sample.rss_shmem_bytes },
	{ name: "of a kind that was not sampled", value: (sample: Sample) => Math.max(0, sample.rss_bytes - sample.rss_anon_bytes - sample.rss_file_bytes - sample.rss_shmem_bytes) },
	{ name: "swapped out", value: (sample: Sample) => sample.swap_bytes },
] as const;

/** All work together, one curve for each kind of memory that occurs. */
export function kindCurves(grid: Grid, held: boolean): { name: string; values: number[] }[] {
	return MEMORY_KINDS.map(({ name, value }) => ({ name, values: curves(grid, { value, level: held }, 0, () => "").curves[0]?.values ?? [] }))
		.filter(({ values }) => values.some((one) => one > 0));
}

export const diskOf = (interval_s: number): Measure => ({
	value: (sample) => (sample.disk_read_bytes + sample.disk_write_bytes) / interval_s,
	level: false,
});

/** Samples by key on their grid, computed once for all curves. */
export interface Grid<S = Sample> {
	interval_s: number;
	count: number;
	times: number[];
	/** By key, in the order of time. */
	sources: ReadonlyMap<string, readonly { n: number; sample: S }[]>;
}

const MOST_INTERVALS = 5000;

export function gridOf<S extends { at: string; key: string }>(list: SampleList<S>): Grid<S> {
	const starts = new Map<string, number>();
	for (const sample of list.samples) {
		if (starts.has(sample.at)) continue;
		const at = instant(sample.at);
		if (at !== null) starts.set(sample.at, at);
	}
	const { interval_s } = list;
	if (starts.size === 0 || !(interval_s > 0)) return { interval_s, count: 0, times: [], sources: new Map() };
	const [first, last] = boundsOf(starts.values());
	const place = (at: number) => Math.round((at - first) / 1000 / interval_s);
	const count = Math.min(MOST_INTERVALS, place(last) + 1);
	const times = Array.from({ length: count + 1 }, (_, n) => first / 1000 + n * interval_s);
	const sources = new Map<string, { n: number; sample: S }[]>();
	for (const sample of list.samples) {
		const at = starts.get(sample.at);
		if (at === undefined || place(at) >= count) continue;
		const own = sources.get(sample.key);
		if (own) own.push({ n: place(at), sample });
		else sources.set(sample.key, [{ n: place(at), sample }]);
	}
	for (const own of sources.values()) own.sort((a, b) => a.n - b.n);
	return { interval_s, count, times, sources };
}

function boundsOf(values: Iterable<number>): [number, number] {
	let first = Infinity;
	let last = -Infinity;
	for (const value of values) {
		first = Math.min(first, value);
		last = Math.max(last, value);
	}
	return [first, last];
}

function add<S>(values: number[], own: readonly { n: number; sample: S }[], measure: Measure<S>): void {
	own.forEach(({ n, sample }, index) => {
		const until = measure.level ? Math.max(n + 1, own[index + 1]?.n ?? 0) : n + 1;
		const value = measure.value(sample);
		for (let at = n; at < until; at++) values[at] = (values[at] ?? 0) + value;
	});
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function together(all: readonly Curve[], count: number): Curve {
	const values = new Array<number>(count).fill(0);
	for (const curve of all) curve.values.forEach((value, n) => (values[n] = (values[n] ?? 0) + value));
	return { key: OTHERS, values, total: sum(values) };
}

/** One curve for each of the `most` largest keys, and one for the rest. `groupOf` puts several keys on one curve. */
export function curves<S>(grid: Grid<S>, measure: Measure<S>, most: number, groupOf = (key: string) => key): Curves {
	const groups = new Map<string, number[]>();
	for (const [key, own] of grid.sources) {
		const group = groupOf(key);
		let values = groups.get(group);
		if (!values) groups.set(group, (values = new Array<number>(grid.count).fill(0)));
		add(values, own, measure);
	}
	const all = [...groups].map(([key, values]) => ({ key, values, total: sum(values) }));
	all.sort((a, b) => b.total - a.total);
	const shown: Curve[] = all.length > most + 1 ? all.slice(0, most) : all;
	const rest = all.slice(shown.length);
	if (rest.length > 0) shown.push(together(rest, grid.count));
	return { times: grid.times, curves: shown, others: rest.length };
}

/** Upper edges, bottom curve first, with the last value repeated so that the last interval has a width. */
export function stacked(all: readonly (readonly number[])[]): number[][] {
	const edges: number[][] = [];
	let below: readonly number[] = [];
	for (const values of all) {
		const edge = values.map((value, n) => value + (below[n] ?? 0));
		edges.push(edge);
		below = edge;
	}
	return edges.map((edge) => [...edge, edge[edge.length - 1] ?? 0]);
}

export interface StateCurve {
	state: State;
	values: number[];
}

/** The number of threads, or processes, in each of these states that occurs. */
function countsOf(grid: Grid<ShareSample>, states: readonly State[]): StateCurve[] {
	const drawn: StateCurve[] = [];
	for (const state of states) {
		const { key } = state;
		if (key === "unexplained" || state.aside) continue;
		const value = (sample: ShareSample) => (sample[`${key}_ns`] ?? 0) / 1e9 / grid.interval_s;
		const values = curves(grid, { value, level: false }, 0, () => "").curves[0]?.values ?? [];
		if (values.some((one) => one > 0)) drawn.push({ state, values });
	}
	return drawn;
}

/**
 * The number of processes of tasks in each class of wall time; of threads, where they are asked for or nothing else is
 * known. What waits for a child is left out, and so is the engine, unless there is nothing else.
 */
export function stateCurves(grid: Grid<ShareSample>, threads: boolean): { wall: boolean; curves: StateCurve[] } {
	const tasks = new Map([...grid.sources].filter(([key]) => key !== "engine"));
	const own: Grid<ShareSample> = { ...grid, sources: tasks.size > 0 ? tasks : grid.sources };
	const walls = threads ? [] : countsOf(own, WALLS.filter(({ key }) => key !== "wall_child"));
	return walls.length > 0 ? { wall: true, curves: walls } : { wall: false, curves: countsOf(own, STATES) };
}

export interface HostCurves {
	times: number[];
	tracked: (number | null)[];
	untracked: (number | null)[];
	iowait: (number | null)[];
	memory: (number | null)[];
}

/** CPUs and memory of a host by its own samples, with gaps where samples are missing. */
export function hostCurves(samples: readonly HostSample[]): HostCurves {
	const curves: HostCurves = { times: [], tracked: [], untracked: [], iowait: [], memory: [] };
	let last: number | null = null;
	for (const sample of [...samples].sort((a, b) => (instant(a.since_at) ?? 0) - (instant(b.since_at) ?? 0))) {
		const since = instant(sample.since_at);
		const until = instant(sample.until_at);
		if (since === null || until === null || until <= since) continue;
		if (last !== null && since - last > 3 * (until - since)) push(curves, last / 1000, null, 0);
		push(curves, since / 1000, sample, (until - since) * 1e6);
		last = until;
	}
	if (last !== null) close(curves, last / 1000);
	return curves;
}

/** The last interval gets its width. */
function close(curves: HostCurves, at: number): void {
	curves.times.push(at);
	for (const values of [curves.tracked, curves.untracked, curves.iowait, curves.memory]) {
		values.push(values[values.length - 1] ?? null);
	}
}

function push(curves: HostCurves, at: number, sample: HostSample | null, ns: number): void {
	const busy = sample ? sample.cpu_user_ns + sample.cpu_kernel_ns : 0;
	curves.times.push(at);
	curves.tracked.push(sample ? Math.min(busy, sample.cpu_tracked_ns) / ns : null);
	curves.untracked.push(sample ? Math.max(0, busy - sample.cpu_tracked_ns) / ns : null);
	curves.iowait.push(sample ? sample.cpu_iowait_ns / ns : null);
	curves.memory.push(sample ? sample.memory_used_bytes : null);
}
