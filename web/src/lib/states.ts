// SPDX-License-Identifier: Apache-2.0
import { nanoseconds, percent } from "./format";
import type { Times } from "./model";
import { PART_ROWS, STATE_ROWS } from "./states_table";
import type { StateKey } from "./states_table";

// Where the time of threads went: what a bar of their states shows, and words for it. The states are rows of
// src/signal/figures.tsv. Pure.
//
// A bar shows the time at work: when something was done or held up. Left out, and named beside the bar: time that a
// process waits for its children (which is counted with the children), and time asleep by its own will, unless that is
// more than all the rest. Time without a known state is shown as such.

export interface State {
	key: StateKey;
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

/** Below this coverage a bar shows the time that no state explains (docs/signal.md). */
export const COVERAGE = 0.98;

export interface Slice {
	state: State;
	ns: number;
	/** Of what the bar shows. */
	share: number;
	/** The known parts of it; often empty. */
	note: string;
}

export interface Breakdown {
	/** What the bar shows, none of them empty. */
	slices: Slice[];
	/** What it leaves out, none of them empty. */
	aside: Slice[];
	shown_ns: number;
	/** The part of the threads' lives that the states explain. */
	coverage: number;
}

const nsOf = (times: Times, key: StateKey): number => (key === "unexplained" ? 0 : Math.max(0, times[`${key}_ns`] ?? 0));

const explained = (times: Times): number => STATES.reduce((sum, one) => sum + nsOf(times, one.key), 0);

export const coverageOf = (times: Times): number | null =>
	times.threads_ns > 0 ? explained(times) / times.threads_ns : null;

/** The known parts of the time in a state: for the disk, time on network file systems; for poll, what ended the wait. */
function noteOf(times: Times, key: StateKey): string {
	const known = PART_ROWS.filter(({ state, figure }) => state === key && times[figure] > 0);
	const parts = known.map(({ figure, name }) => `${nanoseconds(times[figure])} ${name}`);
	return parts.length > 0 ? `of it ${parts.join(", ")}` : "";
}

const total = (all: readonly { ns: number }[]): number => all.reduce((sum, one) => sum + one.ns, 0);

/** null: unknown. `whole`: with the states that a bar leaves out. */
export function breakdown(times: Times, whole = false): Breakdown | null {
	const coverage = coverageOf(times);
	if (coverage === null) return null;
	const rest = coverage < COVERAGE ? times.threads_ns - explained(times) : 0;
	const all = STATES.map((one) => ({ state: one, ns: one.key === "unexplained" ? rest : nsOf(times, one.key) }));
	const asleep = nsOf(times, "sleep") > total(all.filter((one) => !one.state.aside));
	const leaves = ({ key, aside }: State) => aside && !whole && !(asleep && key === "sleep");
	const shown_ns = total(all.filter((one) => !leaves(one.state)));
	const slices = all.filter((one) => one.ns > 0).map((one) => ({
		...one,
		share: shown_ns > 0 ? one.ns / shown_ns : 0,
		note: noteOf(times, one.state.key),
	}));
	return {
		slices: slices.filter((one) => !leaves(one.state)),
		aside: slices.filter((one) => leaves(one.state)),
		shown_ns,
		coverage,
	};
}

/** The largest wait in the bar; null where there was none, or where that is unknown. */
export function largestWait(times: Times): Slice | null {
	const waits = breakdown(times)?.slices.filter((one) => one.state.wait !== null) ?? [];
	return waits.reduce<Slice | null>((most, one) => (most && most.ns >= one.ns ? most : one), null);
}

/** "disk 43.1 %"; empty where it did not wait. */
export function waitText(times: Times): string {
	const wait = largestWait(times);
	return wait ? `${wait.state.wait} ${percent(wait.share)}` : "";
}

/** "computing 3.21 s (43.0 %)", one a line, and what the bar leaves out. */
export function linesOf(known: Breakdown): string[] {
	const lines = known.slices.map((one) =>
		[`${one.state.name} ${nanoseconds(one.ns)} (${percent(one.share)})`, one.note].filter(Boolean).join(", "),
	);
	if (known.aside.length > 0) {
		lines.push("besides:", ...known.aside.map((one) => `${one.state.name} ${nanoseconds(one.ns)}`));
	}
	if (known.coverage < COVERAGE) lines.push(`${percent(known.coverage)} of the threads' time is explained`);
	return lines;
}
