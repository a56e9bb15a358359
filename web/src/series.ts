import { instant } from "./format";
import type { HostSample, Sample, SampleList } from "./model";

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
	/** How many small ones were put together as the last curve. */
	others: number;
}

export const OTHERS = "\u0000others";

export interface Measure {
	value: (sample: Sample) => number;
	/** A level stays what it was until the next sample; a rate is nought where nothing was sampled. */
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

/** What a task keeps while it does nothing is not sampled anew; of a tool, nothing need be alive in between. */
export const memoryOf = (held: boolean): Measure => ({ value: (sample) => sample.rss_bytes, level: held });

export const diskOf = (interval_s: number): Measure => ({
	value: (sample) => (sample.disk_read_bytes + sample.disk_write_bytes) / interval_s,
	level: false,
});

interface Grid {
	first: number;
	count: number;
	times: number[];
}

function gridOf(list: SampleList): Grid | null {
	let first = Infinity;
	let last = -Infinity;
	for (const sample of list.samples) {
		const at = instant(sample.at);
		if (at === null) continue;
		first = Math.min(first, at);
		last = Math.max(last, at);
	}
	if (first > last || !(list.interval_s > 0)) return null;
	const count = Math.min(5000, Math.round((last - first) / 1000 / list.interval_s) + 1);
	const times = Array.from({ length: count + 1 }, (_, n) => first / 1000 + n * list.interval_s);
	return { first, count, times };
}

function curveOf(key: string, samples: readonly Sample[], grid: Grid, interval_s: number, measure: Measure): Curve {
	const seen: (number | undefined)[] = new Array<number | undefined>(grid.count).fill(undefined);
	for (const sample of samples) {
		const at = instant(sample.at) ?? grid.first;
		const n = Math.round((at - grid.first) / 1000 / interval_s);
		if (n >= 0 && n < grid.count) seen[n] = (seen[n] ?? 0) + measure.value(sample);
	}
	const lastSeen = seen.reduce<number>((last, value, n) => (value === undefined ? last : n), -1);
	let held = 0;
	const values = seen.map((value, n) => {
		if (value !== undefined) held = value;
		return value ?? (measure.level && n < lastSeen ? held : 0);
	});
	return { key, values, total: values.reduce((sum, value) => sum + value, 0) };
}

function together(curves: readonly Curve[], count: number): Curve {
	const values = new Array<number>(count).fill(0);
	for (const curve of curves) curve.values.forEach((value, n) => (values[n] = (values[n] ?? 0) + value));
	return { key: OTHERS, values, total: values.reduce((sum, value) => sum + value, 0) };
}

function bySource(samples: readonly Sample[]): Map<string, Sample[]> {
	const sources = new Map<string, Sample[]>();
	for (const sample of samples) {
		const own = sources.get(sample.key);
		if (own) own.push(sample);
		else sources.set(sample.key, [sample]);
	}
	return sources;
}

/**
 * The `most` largest keys, each a curve, and the rest as one. `groupOf` puts several keys on one curve, after the
 * levels of each were held.
 */
export function curves(list: SampleList, measure: Measure, most: number, groupOf = (key: string) => key): Curves {
	const grid = gridOf(list);
	if (grid === null) return { times: [], curves: [], others: 0 };
	const groups = new Map<string, Curve>();
	for (const [key, samples] of bySource(list.samples)) {
		const curve = curveOf(groupOf(key), samples, grid, list.interval_s, measure);
		const group = groups.get(curve.key);
		groups.set(curve.key, group ? { ...together([group, curve], grid.count), key: curve.key } : curve);
	}
	const all = [...groups.values()].sort((a, b) => b.total - a.total);
	const shown = all.length > most + 1 ? all.slice(0, most) : all;
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

export interface HostCurves {
	times: number[];
	tracked: (number | null)[];
	untracked: (number | null)[];
	iowait: (number | null)[];
	memory: (number | null)[];
}

/** A host's CPUs and memory by its own samples; where none came for long, a gap. */
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
	return curves;
}

function push(curves: HostCurves, at: number, sample: HostSample | null, ns: number): void {
	const busy = sample ? sample.cpu_user_ns + sample.cpu_kernel_ns : 0;
	curves.times.push(at);
	curves.tracked.push(sample ? Math.min(busy, sample.cpu_tracked_ns) / ns : null);
	curves.untracked.push(sample ? Math.max(0, busy - sample.cpu_tracked_ns) / ns : null);
	curves.iowait.push(sample ? sample.cpu_iowait_ns / ns : null);
	curves.memory.push(sample ? sample.memory_used_bytes : null);
}
