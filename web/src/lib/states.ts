// SPDX-License-Identifier: Apache-2.0
import { nanoseconds, percent } from "./format";
import type { AnyTimes } from "./model";
import { PART_ROWS, STATE_ROWS, WALL_ROWS } from "./states_table";
import type { StateKey, WallKey } from "./states_table";

// Where time went: what a bar shows, and words for it. The states of threads and the classes of wall time are rows of
// src/signal/figures.tsv. Pure.
//
// A bar shows wall time, all of it: each instant is in one class. Where no wall time is known, or the reader asks for it,
// it shows the time of threads at work: when something was done or held up. Left out of that, and named beside the bar:
// time that a process waits for its children (which is counted with the children), and time asleep by its own will,
// unless that is more than all the rest. Time without a known state is shown as such.

export interface State {
	key: StateKey | WallKey;
	/** In legends. */
	name: string;
	/** Behind "waits mostly on"; null: it is no wait. */
	wait: string | null;
	help: string;
	/** Its colour is --state-TONE. */
	tone: string;
	/** A pattern distinguishes it from another state of its tone. */
	striped: boolean;
	/** Not in the bar unless the reader asks for all states. */
	aside: boolean;
}

/** In the order in which bars show them. */
export const STATES: readonly State[] = STATE_ROWS;
export const WALLS: readonly State[] = WALL_ROWS;

/** Whether the address asks for the time of threads. */
export const wantsThreads = (query: URLSearchParams): boolean => query.get("time") === "threads";

/** Below this coverage a bar shows the time that no state explains (docs/signal.md). */
export const COVERAGE = 0.98;

/** Above this share of the bar it is said how much may be in a wrong class. */
const ASSUMED = 0.02;

export interface Slice {
	state: State;
	ns: number;
	/** Of what the bar shows. */
	share: number;
	/** The known parts of it; often empty. */
	note: string;
}

export interface Breakdown {
	/** Of wall time; otherwise of threads. */
	wall: boolean;
	/** What the bar shows, none of them empty. */
	slices: Slice[];
	/** What it leaves out, none of them empty. */
	aside: Slice[];
	shown_ns: number;
	/** The part of the threads' lives that the states explain. */
	coverage: number;
	/** What may be in a wrong class; 0 where that is little. */
	assumed_ns: number;
}

const nsOf = (times: AnyTimes, key: State["key"]): number => (key === "unexplained" ? 0 : Math.max(0, times[`${key}_ns`] ?? 0));

const explained = (times: AnyTimes): number => STATES.reduce((sum, one) => sum + nsOf(times, one.key), 0);

export const coverageOf = (times: AnyTimes): number | null =>
	times.threads_ns ? explained(times) / times.threads_ns : null;

/** The known parts of the time in a state: for the disk, time on network file systems; of computing, time on one CPU. */
function noteOf(times: AnyTimes, key: State["key"]): string {
	const known = PART_ROWS.filter(({ state, figure }) => state === key && (times[figure] ?? 0) > 0);
	const parts = known.map(({ figure, name }) => `${nanoseconds(times[figure])} ${name}`);
	return parts.length > 0 ? `of it ${parts.join(", ")}` : "";
}

const total = (all: readonly { ns: number }[]): number => all.reduce((sum, one) => sum + one.ns, 0);

/** Less than this share of the bar is a difference of clocks, not time in a state. */
const LEAST = 1e-6;

/** A slice for each of them that occurred. */
const slicesOf = (times: AnyTimes, all: readonly { state: State; ns: number }[], shown_ns: number): Slice[] =>
	all.filter((one) => one.ns > LEAST * shown_ns).map((one) => ({
		...one,
		share: shown_ns > 0 ? one.ns / shown_ns : 0,
		note: noteOf(times, one.state.key),
	}));

/** Of wall time; null: nothing of it is known. */
function wallBreakdown(times: AnyTimes): Breakdown | null {
	const all = WALLS.map((state) => ({ state, ns: nsOf(times, state.key) }));
	const shown_ns = total(all);
	if (shown_ns === nsOf(times, "wall_unknown")) return null;
	const assumed_ns = times.wall_assumed_ns ?? 0;
	return {
		wall: true,
		slices: slicesOf(times, all, shown_ns),
		aside: [],
		shown_ns,
		coverage: 1,
		assumed_ns: assumed_ns > ASSUMED * shown_ns ? assumed_ns : 0,
	};
}

/** Of the time of threads; null: unknown. `whole`: with the states that a bar leaves out. */
export function breakdown(times: AnyTimes, whole = false): Breakdown | null {
	const coverage = coverageOf(times);
	if (coverage === null) return null;
	const rest = coverage < COVERAGE ? (times.threads_ns ?? 0) - explained(times) : 0;
	const all = STATES.map((one) => ({ state: one, ns: one.key === "unexplained" ? rest : nsOf(times, one.key) }));
	const asleep = nsOf(times, "sleep") > total(all.filter((one) => !one.state.aside));
	const leaves = ({ key, aside }: State) => aside && !whole && !(asleep && key === "sleep");
	const shown_ns = total(all.filter((one) => !leaves(one.state)));
	const slices = slicesOf(times, all, shown_ns);
	return {
		wall: false,
		slices: slices.filter((one) => !leaves(one.state)),
		aside: slices.filter((one) => leaves(one.state)),
		shown_ns,
		coverage,
		assumed_ns: 0,
	};
}

/** What a bar shows: wall time, or that of threads where they are asked for or nothing else is known; null: unknown. */
export const barOf = (times: AnyTimes, threads: boolean, whole = false): Breakdown | null =>
	(threads ? null : wallBreakdown(times)) ?? breakdown(times, whole);

/** The largest wait in the bar; null where there was none, or where that is unknown. */
export function largestWait(times: AnyTimes, threads: boolean): Slice | null {
	const waits = barOf(times, threads)?.slices.filter((one) => one.state.wait !== null) ?? [];
	return waits.reduce<Slice | null>((most, one) => (most && most.ns >= one.ns ? most : one), null);
}

/** "disk 43.1 %"; empty where it did not wait. */
export function waitText(times: AnyTimes, threads: boolean): string {
	const wait = largestWait(times, threads);
	return wait ? `${wait.state.wait} ${percent(wait.share)}` : "";
}

/** "computing 3.21 s (43.0 %), of it 2.10 s on one CPU" */
export const lineOf = ({ state, ns, share, note }: Slice): string =>
	[`${state.name} ${nanoseconds(ns)} (${percent(share)})`, note].filter(Boolean).join(", ");

export const doubtText = (known: Breakdown): string => `may be off by up to ${nanoseconds(known.assumed_ns)}`;

/** A line for each slice, what the bar leaves out, and what is not sure. */
export function linesOf(known: Breakdown): string[] {
	const lines = known.slices.map(lineOf);
	if (known.aside.length > 0) {
		lines.push("besides:", ...known.aside.map((one) => `${one.state.name} ${nanoseconds(one.ns)}`));
	}
	if (known.coverage < COVERAGE) lines.push(`${percent(known.coverage)} of the threads' time is explained`);
	if (known.assumed_ns > 0) lines.push(doubtText(known));
	return lines;
}
