// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "preact/hooks";

// The address holds the state of the page, so that a link shows the same to another reader.

export interface Route {
	path: string[];
	query: URLSearchParams;
}

export function parseRoute(path: string, search: string): Route {
	const parts = path.split("/").filter((part) => part !== "");
	const decoded = parts.map((part) => {
		try {
			return decodeURIComponent(part);
		} catch {
			return part;
		}
	});
	return { path: decoded, query: new URLSearchParams(search) };
}

const listeners = new Set<() => void>();
const current = (): Route => parseRoute(location.pathname, location.search);

function changed(): void {
	for (const listener of listeners) listener();
}

/** Opens an address of this page. `quietly` leaves no entry in the history. */
export function go(address: string, quietly = false): void {
	if (quietly) history.replaceState(null, "", address);
	else {
		history.pushState(null, "", address);
		scrollTo(0, 0);
	}
	changed();
}

/** Changes parameters of the query; null removes one. */
export function setQuery(parts: Record<string, string | null>, quietly = true): void {
	const query = new URLSearchParams(location.search);
	for (const [key, value] of Object.entries(parts)) {
		if (value === null || value === "") query.delete(key);
		else query.set(key, value);
	}
	const text = query.toString();
	const address = location.pathname + (text ? `?${text}` : "");
	if (quietly) history.replaceState(null, "", address);
	else history.pushState(null, "", address);
	changed();
}

export function useRoute(): Route {
	const [route, setRoute] = useState(current);
	useEffect(() => {
		const update = () => setRoute(current());
		listeners.add(update);
		addEventListener("popstate", update);
		return () => {
			listeners.delete(update);
			removeEventListener("popstate", update);
		};
	}, []);
	return route;
}

/** Follows links within the page without loading it; the browser follows others, and clicks with a modifier key. */
export function followLinks(event: MouseEvent): void {
	if (event.defaultPrevented || event.button !== 0) return;
	if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
	const link = (event.target as Element | null)?.closest?.("a[href]");
	const href = link?.getAttribute("href");
	if (!href?.startsWith("/") || link?.hasAttribute("target") || link?.hasAttribute("download")) return;
	event.preventDefault();
	go(href);
}

export const runAddress = (id: string, query: Record<string, string> = {}): string => {
	const text = new URLSearchParams(query).toString();
	return `/runs/${encodeURIComponent(id)}${text ? `?${text}` : ""}`;
};

/** Another view of the run that is shown: it shows the same kind of time. */
export const viewAddress = (id: string, query: Record<string, string> = {}): string => {
	const time = current().query.get("time");
	return runAddress(id, time ? { ...query, time } : query);
};

/** What the steps of a pipeline usually take. Names are in the query: they may have any character. */
export const pipelineAddress = (pipeline: string): string => `/steps?${new URLSearchParams({ pipeline })}`;

/** The history of a step; `run` is marked in it. */
export const stepAddress = (pipeline: string, step: string, run?: string): string =>
	`/steps?${new URLSearchParams({ pipeline, step, ...(run ? { run } : {}) })}`;

/** What changed from the run `earlier` to `run`; null: from the run before of its pipeline. */
export const compareAddress = (run: string, earlier: string | null = null): string =>
	`/compare?${new URLSearchParams({ run, ...(earlier === null ? {} : { with: earlier }) })}`;
