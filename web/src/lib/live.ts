// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "preact/hooks";
import { get } from "./api";
import type { News, Presence } from "./live_ports";
import { stream } from "./live_stream";
import type { Link, Stream } from "./live_stream";
import type { RunList, RunRow } from "./model";

// Runs as they happen: one stream of server-sent events for all pages of the browser (live_ports.ts), or, where it has no shared
// workers, for the whole page.

export type { Link } from "./live_stream";

export interface Live {
	link: Link;
	runs: ReadonlyMap<string, RunRow>;
	arrived: boolean;
}

let state: Live = { link: "connecting", runs: new Map(), arrived: false };
let source: Stream | null = null;
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

function takeLink(link: Link): void {
	put({ link });
	// The stream cannot say why it failed; a request can (and shows the way to log in).
	if (link === "broken") get<RunList>("/runs?limit=1").catch(() => {});
}

function takeRows(text: string): void {
	try {
		take((JSON.parse(text) as RunList).runs);
	} catch {
		takeLink("broken");
	}
}

/** The stream that this page shares with the others. */
function shared(worker: SharedWorker): Stream {
	const tell = (presence: Presence): void => worker.port.postMessage(presence);
	worker.port.onmessage = (event: MessageEvent<News>) => {
		if ("link" in event.data) takeLink(event.data.link);
		else takeRows(event.data.rows);
	};
	window.addEventListener("pagehide", () => tell("gone"));
	return { open: () => tell("seen"), close: () => tell("hidden") };
}

function choose(): Stream {
	if (typeof SharedWorker === "undefined") return stream(takeLink, takeRows);
	const worker = new SharedWorker(new URL("./live_worker.ts", import.meta.url), { type: "module", name: "tracer-live" });
	worker.addEventListener("error", () => {
		source = stream(takeLink, takeRows); // a browser without modules in workers
		seen();
	});
	return shared(worker);
}

/** A page that is hidden needs no stream. */
function seen(): void {
	if (document.hidden) source?.close();
	else source?.open();
}

export function start(): void {
	source ??= choose();
	document.addEventListener("visibilitychange", seen);
	window.addEventListener("pageshow", seen); // it may have been kept after it said that it goes
	seen();
}

export function stop(): void {
	document.removeEventListener("visibilitychange", seen);
	window.removeEventListener("pageshow", seen);
	source?.close();
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
