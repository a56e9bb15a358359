// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "preact/hooks";
import { get } from "./api";
import type { RunList, RunRow } from "./model";

// Runs as they happen: one stream of server-sent events for the whole page.

export type Link = "connecting" | "live" | "broken";

export interface Live {
	link: Link;
	runs: ReadonlyMap<string, RunRow>;
	arrived: boolean;
}

let state: Live = { link: "connecting", runs: new Map(), arrived: false };
let source: EventSource | null = null;
let retry = 0;
let failures = 0;
const listeners = new Set<(live: Live) => void>();

function put(parts: Partial<Live>): void {
	state = { ...state, ...parts };
	for (const listener of listeners) listener(state);
}

/** Adds rows from the stream or from the list: the later row of a run replaces the earlier. */
export function merge(known: ReadonlyMap<string, RunRow>, rows: readonly RunRow[]): ReadonlyMap<string, RunRow> {
	const merged = new Map(known);
	for (const row of rows) merged.set(row.id, row);
	return merged;
}

export function take(rows: readonly RunRow[]): void {
	put({ runs: merge(state.runs, rows), arrived: true });
}

/** The rows of a list that was asked for when `then` was known: what the stream has sent since is newer. */
export const unlessNewer = (rows: readonly RunRow[], then: ReadonlyMap<string, RunRow>, now: ReadonlyMap<string, RunRow>): RunRow[] =>
	rows.filter((row) => now.get(row.id) === then.get(row.id));

/** Asks for a list of runs and takes its rows. */
export async function takeList(path: string, signal?: AbortSignal): Promise<RunList> {
	const then = state.runs;
	const list = await get<RunList>(path, signal);
	take(unlessNewer(list.runs, then, state.runs));
	return list;
}

function failed(): void {
	source?.close();
	source = null;
	put({ link: "broken" });
	// The stream cannot say why it failed; a request can (and shows the way to log in).
	get<RunList>("/runs?limit=1").catch(() => {});
	failures++;
	retry = window.setTimeout(open, Math.min(30_000, 1000 * 2 ** Math.min(failures, 5)));
}

function open(): void {
	clearTimeout(retry);
	source = new EventSource("/api/v1/live");
	source.addEventListener("open", () => {
		failures = 0;
		put({ link: "live" });
	});
	source.addEventListener("runs", (event) => {
		try {
			take((JSON.parse((event as MessageEvent<string>).data) as RunList).runs);
		} catch {
			failed();
		}
	});
	source.addEventListener("error", failed);
}

/** A browser keeps few connections to one lake: a page that is hidden closes its own. */
function seen(): void {
	if (document.hidden) close();
	else if (source === null) open();
}

function close(): void {
	clearTimeout(retry);
	source?.close();
	source = null;
}

export function start(): void {
	document.addEventListener("visibilitychange", seen);
	seen();
}

export function stop(): void {
	document.removeEventListener("visibilitychange", seen);
	close();
}

export function useLive(): Live {
	const [live, setLive] = useState(state);
	useEffect(() => {
		setLive(state);
		listeners.add(setLive);
		return () => void listeners.delete(setLive);
	}, []);
	return live;
}

/** The current time, for durations that tick; does not change when `every` is 0. */
export function useNow(every = 1000): number {
	const [now, setNow] = useState(Date.now);
	useEffect(() => {
		if (every === 0) return;
		setNow(Date.now());
		const timer = setInterval(() => setNow(Date.now()), every);
		return () => clearInterval(timer);
	}, [every]);
	return now;
}
