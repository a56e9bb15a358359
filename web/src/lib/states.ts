// SPDX-License-Identifier: Apache-2.0
import { nanoseconds, percent } from "./format";
import type { Times } from "./model";

// Where the threads' time went: which states there are, in words, and what a bar of them shows. Pure.
//
// A bar shows the time at work: in which something was done or held up. Left out, and named beside it: time that a
// process waits for its children (who have their own: it would count twice), and time asleep by its own will, as of a
// watcher beside the work, unless it is more than all the rest. Time of which no state is known is shown as such.

export type StateKey =
	| "user"
	| "kernel"
	| "runnable"
	| "disk"
	| "paging"
	| "network"
	| "pipe_read"
	| "pipe_write"
	| "lock"
	| "poll"
	| "other"
	| "child"
	| "sleep"
	| "unexplained";

export interface State {
	key: StateKey;
	/** In legends. */
	name: string;
	/** Behind "waits mostly on"; those of a CPU have none. */
	wait: string | null;
	help: string;
	/** Its colour is --state-TONE. */
	tone: string;
	/** Told by stripes from another of its tone. */
	striped: boolean;
	/** Not in the bar unless all is asked for. */
	aside: boolean;
}

const state = (key: StateKey, tone: string, name: string, wait: string | null, help: string): State => ({
	key,
	name,
	wait,
	help,
	tone: tone.replace("/", ""),
	striped: tone.endsWith("/"),
	aside: key === "child" || key === "sleep",
});

/** In the order in which bars show them. */
export const STATES: readonly State[] = [
	state("user", "cpu", "computing", null, "On a CPU, in the program's own code"),
	state("kernel", "cpu/", "computing in the kernel", null, "On a CPU, in the kernel: system calls, copying, page faults"),
	state("runnable", "runnable", "waiting for a CPU", "a CPU", "Ready to run, but every CPU was taken"),
	state("disk", "disk", "disk", "disk", "Blocked on a file or disk, local or shared"),
	state("paging", "disk/", "paging", "paging", "Blocked because memory had to be read in, swapped or freed first"),
	state("network", "network", "network", "network", "Blocked on a socket"),
	state("pipe_read", "pipe", "pipe, upstream", "pipe upstream", "Starved: what is before it in the pipe gives nothing"),
	state("pipe_write", "pipe/", "pipe, downstream", "pipe downstream", "Held up: what is behind it in the pipe takes nothing"),
	state("lock", "lock", "locks", "locks", "Waiting for another thread or process to let go, or for work to be handed out"),
	state("poll", "poll", "events (poll)", "events (poll)", "Waiting for whatever comes first: network, pipe, timer"),
	state("other", "rest", "other", "other", "Stopped, frozen, at a terminal, or anything else"),
	state("child", "rest/", "children", "children", "Waiting for processes that it started; their time is counted with them"),
	state("sleep", "rest/", "sleeping", "sleeping", "Asleep by its own will"),
	state("unexplained", "rest/", "not explained", null, "Lived, but no state is known"),
];

/** Below it the part that is not explained is shown: docs/signal.md promises as much. */
export const COVERAGE = 0.98;

export interface Slice {
	state: State;
	ns: number;
	/** Of what the bar shows. */
	share: number;
	/** What more is known of it; often nothing. */
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

type Part = readonly [keyof Times, string];

/** What more is told of a state: of the disk's time what was not on this machine's own disks, of events what ended the wait. */
const PARTS: Partial<Record<StateKey, readonly Part[]>> = {
	disk: [["disk_shared_ns", "on network file systems"], ["disk_fuse_ns", "through FUSE"]],
	poll: [["poll_network_ns", "for the network"], ["poll_pipe_ns", "for a pipe"], ["poll_timer_ns", "for a timer"]],
};

function noteOf(times: Times, key: StateKey): string {
	const known = (PARTS[key] ?? []).filter(([figure]) => times[figure] > 0);
	const parts = known.map(([figure, words]) => `${nanoseconds(times[figure])} ${words}`);
	return parts.length > 0 ? `of it ${parts.join(", ")}` : "";
}

const total = (all: readonly { ns: number }[]): number => all.reduce((sum, one) => sum + one.ns, 0);

/** null: nobody knows. `whole`: with what a bar leaves out. */
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

/** What it waits for most, of what its bar shows; null where it never waited, or nobody knows. */
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
