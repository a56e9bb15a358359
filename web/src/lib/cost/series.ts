// SPDX-License-Identifier: Apache-2.0
import { instant } from "../format";
import type { CostAnswer, CostPoint } from "./model_cost";

// Costs over time as curves over a grid of hours or days. Pure.

export interface CostCurve {
	key: string;
	values: number[];
}

export interface CostCurves {
	/** Starts of the hours or days, in seconds since 1970; one more than there are, to close the last. */
	times: number[];
	curves: CostCurve[];
}

export const PART_CURVES = ["used", "unused", "idle", "none"] as const;
/** The key of what no task was on. */
export const NO_KEY = "\u0000none";
const MOST_BUCKETS = 5000;

type Grid = { first: number; count: number; step: number };

function gridOf(answer: CostAnswer, over: "hour" | "day"): Grid {
	const step = over === "hour" ? 3600 : 86400;
	const since = instant(answer.since_at);
	const until = instant(answer.until_at);
	if (since === null || until === null || until <= since) return { first: 0, count: 0, step };
	const first = Math.floor(since / 1000 / step);
	return { first: first * step, count: Math.min(MOST_BUCKETS, Math.ceil(until / 1000 / step) - first), step };
}

function filled(grid: Grid, points: readonly CostPoint[], value: (point: CostPoint) => number | null): number[] {
	const values = new Array<number>(grid.count).fill(0);
	for (const point of points) {
		const at = instant(point.at);
		const n = at === null ? -1 : Math.floor((at / 1000 - grid.first) / grid.step);
		if (n >= 0 && n < grid.count) values[n] = (values[n] ?? 0) + (value(point) ?? 0);
	}
	return values;
}

const some = (values: readonly number[]): boolean => values.some((value) => value > 0);

function byPart(grid: Grid, points: readonly CostPoint[]): CostCurve[] {
	const own = points.filter((point) => point.key !== null);
	const none = points.filter((point) => point.key === null);
	return [
		{ key: "used", values: filled(grid, own, (point) => point.used_usd) },
		{ key: "unused", values: filled(grid, own, (point) => point.unused_usd) },
		{ key: "idle", values: filled(grid, own, (point) => point.idle_usd) },
		{ key: "none", values: filled(grid, none, (point) => point.cost_usd) },
	];
}

/** In the order of the answer: the largest first, then the others, then what no task was on. */
function byKey(grid: Grid, points: readonly CostPoint[]): CostCurve[] {
	const groups = new Map<string, CostPoint[]>();
	for (const point of points) {
		const key = point.key ?? NO_KEY;
		const group = groups.get(key);
		if (group) group.push(point);
		else groups.set(key, [point]);
	}
	const curves = [...groups].map(([key, own]) => ({ key, values: filled(grid, own, (point) => point.cost_usd) }));
	const total = (curve: CostCurve) => curve.values.reduce((sum, value) => sum + value, 0);
	const last = (curve: CostCurve) => (curve.key === NO_KEY ? 2 : curve.key === OTHER_KEYS ? 1 : 0);
	return curves.sort((a, b) => last(a) - last(b) || total(b) - total(a));
}

/** As the API calls all keys but the largest. */
export const OTHER_KEYS = "(others)";

export function costCurves(answer: CostAnswer, over: "hour" | "day", by: "part" | "key"): CostCurves {
	const grid = gridOf(answer, over);
	const points = answer.series;
	const curves = (by === "part" ? byPart(grid, points) : byKey(grid, points)).filter((curve) => some(curve.values));
	const times = grid.count > 0 ? Array.from({ length: grid.count + 1 }, (_, n) => grid.first + n * grid.step) : [];
	return { times, curves };
}

const utc = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" });
const day = utc({ day: "numeric", month: "short" });
const clock = utc({ hour: "2-digit", minute: "2-digit" });

/** Hours and days of an axis, in UTC. */
export function utcLabel(seconds: number, step: number): string {
	return step >= 86400 || seconds % 86400 === 0 ? day.format(seconds * 1000) : clock.format(seconds * 1000);
}

/** From and until of a stretch of the axis, on whole hours. */
export function hoursOf(from_ms: number, until_ms: number): { since: string; until: string } {
	const since = Math.floor(from_ms / 3600e3) * 3600e3;
	const until = Math.max(since + 3600e3, Math.ceil(until_ms / 3600e3) * 3600e3);
	const text = (ms: number) => new Date(ms).toISOString().replace(".000Z", "Z");
	return { since: text(since), until: text(until) };
}
