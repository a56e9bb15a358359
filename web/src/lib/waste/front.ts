// SPDX-License-Identifier: Apache-2.0
import { byName, trimmed } from "../format";
import type { Candidate, RecommendAnswer } from "./model_recommend";

// Cost against wall time: the scales of the plot, and what of the candidates is in it. Pure.

export interface Scale {
	from: number;
	to: number;
	log: boolean;
	marks: { value: number; text: string }[];
}

/** A candidate with a price. */
export type Priced = Candidate & { cost_usd: number };

const isPriced = (one: Candidate): one is Priced => one.cost_usd !== null;

export interface FrontPlot {
	/** Wall time in seconds, cost in dollars. */
	x: Scale;
	y: Scale;
	/** The front and what was chosen, by wall time. */
	front: Priced[];
	/** Of which nothing is faster and cheaper. */
	line: Priced[];
	/** The same of those that are not taken back; empty: it is the same line. */
	steady: Priced[];
	others: Priced[];
	/** What is beyond the plot: slower or more expensive than anything that matters. */
	beyond: number;
	/** Without a price. */
	unpriced: number;
}

/** Values that differ by more than so many times are on a logarithmic scale. */
const SPREAD = 12;
const ROOM = 1.06;

const SECONDS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 432_000];

function roundSteps(name: string, most: number): number[] {
	if (name === "wall_s" && most < 4 * 432_000) return SECONDS;
	const power = 10 ** Math.floor(Math.log10(most));
	return [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5].map((step) => step * power);
}

/** Places of marks on a logarithmic scale, the densest first. */
const DIGITS = [[1, 2, 5], [1, 3], [1]].map((digits) => Array.from({ length: 16 }, (_, n) => n - 6).flatMap((power) => digits.map((digit) => digit * 10 ** power)));
const SPANS = [[...SECONDS, 864_000, 2_592_000], [0.1, 1, 10, 60, 600, 3600, 36_000, 86_400, 864_000, 8_640_000]];

const text = (name: string, value: number): string => (value === 0 ? "0" : trimmed(byName(name, value)));

function linear(name: string, most: number): Scale {
	const to = most * ROOM;
	const step = roundSteps(name, most).find((one) => to / one <= 6.5) ?? most / 4;
	const marks = Array.from({ length: Math.floor(to / step) + 1 }, (_, n) => ({ value: n * step, text: text(name, n * step) }));
	return { from: 0, to, log: false, marks };
}

function logarithmic(name: string, least: number, most: number): Scale {
	const [from, to] = [least / 1.25, most * 1.25];
	const within = (places: readonly number[]) => places.filter((value) => value >= from && value <= to);
	const choices = (name === "wall_s" ? SPANS : DIGITS).map(within);
	const marks = choices.find((places) => places.length <= 7) ?? choices.at(-1) ?? [];
	return { from, to, log: true, marks: marks.map((value) => ({ value, text: text(name, value) })) };
}

export function scaleOf(name: "wall_s" | "cost_usd", values: readonly number[]): Scale {
	const known = values.filter((value) => value > 0);
	const [least, most] = [Math.min(...known), Math.max(...known)];
	if (known.length === 0) return linear(name, 1);
	return most / least > SPREAD ? logarithmic(name, least, most) : linear(name, most);
}

/** Where a value is on its scale, from 0 to 1. */
export function placeOn({ from, to, log }: Scale, value: number): number {
	if (!log) return (value - from) / (to - from);
	return Math.log(Math.max(value, from) / from) / Math.log(to / from);
}

const matters = (one: Priced): boolean => one.front || one.choice !== null;
const edges = (one: Priced) => ({ wall: [one.wall_s, one.wall_high_s], cost: [one.cost_usd, one.cost_high_usd ?? one.cost_usd] });

/** Those, by wall time, that are cheaper than all that are as fast. */
function bestOf(points: readonly Priced[]): Priced[] {
	let least = Infinity;
	return points.filter(({ cost_usd }) => {
		const better = cost_usd < least;
		if (better) least = cost_usd;
		return better;
	});
}

/** Null: nothing has a price. The scales hold the front, the choices and what was measured; the rest is drawn where it is within. */
export function plotOf({ candidates, measured }: Pick<RecommendAnswer, "candidates" | "measured">): FrontPlot | null {
	const priced = candidates.filter(isPriced);
	const known = priced.filter(matters);
	if (known.length === 0) return null;
	const own = measured && measured.wall_s !== null && measured.cost_usd !== null ? [measured.wall_s, measured.cost_usd] as const : null;
	const x = scaleOf("wall_s", [...known.flatMap((one) => edges(one).wall), ...known.map((one) => one.wall_low_s), ...(own ? [own[0]] : [])]);
	const y = scaleOf("cost_usd", [...known.flatMap((one) => edges(one).cost), ...known.map((one) => one.cost_low_usd ?? one.cost_usd), ...(own ? [own[1]] : [])]);
	const others = priced.filter((one) => !matters(one));
	const within = others.filter((one) => one.wall_s <= x.to && one.wall_s >= x.from && one.cost_usd <= y.to && one.cost_usd >= y.from);
	const front = known.sort((a, b) => a.wall_s - b.wall_s || a.cost_usd - b.cost_usd);
	const line = bestOf(front);
	const steady = bestOf(front.filter((one) => one.purchase !== "spot"));
	return {
		x, y, front, line, steady: steady.every((one) => line.includes(one)) ? [] : steady, others: within, beyond: others.length - within.length,
		unpriced: candidates.length - priced.length,
	};
}
