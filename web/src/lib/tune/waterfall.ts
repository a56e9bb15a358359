// SPDX-License-Identifier: Apache-2.0
import type { DiffPart, DiffStep, RunDiff } from "./model_diff";

// The way from the wall time of one run to that of another, part by part: pure.

export interface WaterfallRow {
	key: string;
	name: string;
	/** What the part was and is; null: a single factor, of which only the difference is known. */
	from_ns: number | null;
	to_ns: number | null;
	difference_ns: number;
	/** Where its bar begins and ends on the axis of the chart. */
	low_ns: number;
	high_ns: number;
	kind: "run" | "step" | "factor";
	/** Its factors, the largest first; they add up to its difference. */
	factors: WaterfallRow[];
}

export interface Waterfall {
	/** The earlier run, the parts, the later run. */
	rows: WaterfallRow[];
	/** The ends of the axis. */
	min_ns: number;
	max_ns: number;
}

/** More steps than these are one row. */
export const MOST_STEPS = 8;
/** More factors of a part than these are one row. */
export const MOST_FACTORS = 5;

interface Given {
	key: string;
	name: string;
	from_ns: number | null;
	to_ns: number | null;
	difference_ns: number;
	factors: { key: string; name: string; difference_ns: number }[];
}

const WORDS: Partial<Record<DiffStep["state"], string>> = { new: " (new)", removed: " (gone)", renamed: " (renamed)" };

const bySize = (a: { difference_ns: number }, b: { difference_ns: number }) => Math.abs(b.difference_ns) - Math.abs(a.difference_ns);

function factorsOf(parts: readonly DiffPart[], step: string | null): Given["factors"] {
	const all = parts.filter((part) => part.step === step).sort(bySize);
	const shown = all.slice(0, MOST_FACTORS).map((part) => ({ key: part.factor, name: part.words, difference_ns: part.difference_ns }));
	const rest = all.slice(MOST_FACTORS).reduce((sum, part) => sum + part.difference_ns, 0);
	return rest === 0 ? shown : [...shown, { key: "rest", name: "all else", difference_ns: rest }];
}

function partsOf(diff: RunDiff): Given[] {
	const parts: Given[] = diff.steps.map((step) => ({
		key: `step ${step.name}`,
		name: `${step.name || "(no step)"}${WORDS[step.state] ?? ""}`,
		from_ns: step.from_running_ns + step.from_waiting_ns,
		to_ns: step.to_running_ns + step.to_waiting_ns,
		difference_ns: step.difference_ns,
		factors: step.state === "both" || step.state === "renamed" ? factorsOf(diff.parts, step.name) : [],
	}));
	const shown = parts.filter((part) => part.difference_ns !== 0).slice(0, MOST_STEPS);
	const others = parts.filter((part) => !shown.includes(part));
	const sum = (read: (part: Given) => number | null) => others.reduce((all, part) => all + (read(part) ?? 0), 0);
	if (others.length > 0) {
		shown.push({
			key: "others",
			name: `${others.length} other step${others.length === 1 ? "" : "s"}`,
			from_ns: sum((part) => part.from_ns),
			to_ns: sum((part) => part.to_ns),
			difference_ns: sum((part) => part.difference_ns),
			factors: [],
		});
	}
	return [...shown, { key: "engine", name: "no task: the engine", ...diff.engine, factors: factorsOf(diff.parts, null) }];
}

/** The bars of parts, of which each begins where the one before ends. */
function chain(begin: number, given: readonly Given[], kind: WaterfallRow["kind"]): WaterfallRow[] {
	let at = begin;
	return given.map((part) => {
		const end = at + part.difference_ns;
		const row: WaterfallRow = {
			key: part.key,
			name: part.name,
			from_ns: part.from_ns,
			to_ns: part.to_ns,
			difference_ns: part.difference_ns,
			low_ns: Math.min(at, end),
			high_ns: Math.max(at, end),
			kind,
			factors: chain(
				at,
				part.factors.map((factor) => ({ ...factor, from_ns: null, to_ns: null, factors: [] })),
				"factor",
			),
		};
		at = end;
		return row;
	});
}

const run = (key: string, name: string, wall_ns: number): WaterfallRow => ({
	key,
	name,
	from_ns: null,
	to_ns: null,
	difference_ns: wall_ns,
	low_ns: 0,
	high_ns: wall_ns,
	kind: "run",
	factors: [],
});

/** null: the wall times are not compared. The axis leaves out what no part reaches, unless that is less than half of it. */
export function waterfallOf(diff: RunDiff): Waterfall | null {
	if (diff.difference_ns === null) return null;
	const steps = chain(diff.from.wall_ns, partsOf(diff), "step");
	const rows = [run("from", "Before", diff.from.wall_ns), ...steps, run("to", "Now", diff.to.wall_ns)];
	const ends = [...steps, ...steps.flatMap((step) => step.factors)];
	const max_ns = Math.max(diff.from.wall_ns, diff.to.wall_ns, ...ends.map((row) => row.high_ns));
	const least = Math.min(diff.from.wall_ns, diff.to.wall_ns, ...ends.map((row) => row.low_ns));
	const margin = (max_ns - least) / 4;
	return { rows, min_ns: margin > 0 && least - margin > max_ns / 2 ? least - margin : Math.min(0, least), max_ns };
}

/** Where a bar is on the axis, in percent. */
export function placeOf(row: WaterfallRow, { min_ns, max_ns }: Waterfall): { left: number; width: number } {
	const size = max_ns - min_ns || 1;
	const left = Math.max(0, ((row.low_ns - min_ns) / size) * 100);
	return { left, width: Math.max(0, ((row.high_ns - min_ns) / size) * 100 - left) };
}
