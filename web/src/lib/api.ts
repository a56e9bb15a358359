// SPDX-License-Identifier: Apache-2.0
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Candidate, Page } from "./model";

// The lake's API, same origin, by the session cookie.

export class ApiError extends Error {
	constructor(
		readonly status: number,
		readonly title: string,
		readonly detail: string,
		/** With status 409: the runs that the address can mean. */
		readonly candidates: readonly Candidate[] = [],
	) {
		super(detail || title);
	}
}

let onLoggedOut = (): void => {};
/** Sets the function that is called when the lake answers that the reader is not logged in. */
export function whenLoggedOut(callback: () => void): void {
	onLoggedOut = callback;
}

async function problem(response: Response): Promise<ApiError> {
	try {
		const body = (await response.json()) as { title?: string; detail?: string; candidates?: Candidate[] };
		return new ApiError(response.status, body.title ?? response.statusText, body.detail ?? "", body.candidates);
	} catch {
		return new ApiError(response.status, response.statusText, "");
	}
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
	let response: Response;
	try {
		response = await fetch(`/api/v1${path}`, {
			headers: { accept: "application/json" },
			credentials: "same-origin",
			...(signal ? { signal } : {}),
		});
	} catch (cause) {
		if (signal?.aborted) throw cause;
		throw new ApiError(0, "The lake does not answer", "Check with `tracer status` whether it is running.");
	}
	if (response.ok) return (await response.json()) as T;
	if (response.status === 401) onLoggedOut();
	throw await problem(response);
}

/** Ends the session of this browser at the lake. */
export async function logOut(): Promise<void> {
	const response = await fetch("/logout", { method: "POST", credentials: "same-origin" });
	if (!response.ok) throw await problem(response);
	onLoggedOut();
}

/** An address with its query; parts that are null or empty are left out. */
export function address(path: string, query: Record<string, string | number | null>): string {
	const parts = new URLSearchParams();
	for (const [key, value] of Object.entries(query)) {
		if (value !== null && value !== "") parts.set(key, String(value));
	}
	const text = parts.toString();
	return text ? `${path}?${text}` : path;
}

/** All pages of a list, up to `most` rows. */
export async function getAll<P extends Page, R>(
	path: string,
	query: Record<string, string>,
	rows: (page: P) => R[],
	most: number,
	signal?: AbortSignal,
): Promise<{ rows: R[]; complete: boolean }> {
	const all: R[] = [];
	let cursor: string | null = null;
	do {
		const page: P = await get<P>(address(path, { ...query, limit: 1000, cursor }), signal);
		all.push(...rows(page));
		cursor = page.next ?? null;
	} while (cursor !== null && all.length < most);
	return { rows: all, complete: cursor === null };
}

export interface Loaded<T> {
	data: T | null;
	error: ApiError | null;
	loading: boolean;
	reload: () => void;
}

/**
 * Loads when `key` changes, and again every `every` milliseconds while the page is visible (0: never again). The last
 * answer stays until the new one arrives, but not across keys. A null key loads nothing.
 */
export function useLoad<T>(key: string | null, load: (signal: AbortSignal) => Promise<T>, every = 0): Loaded<T> {
	const [state, setState] = useState<{ key: string | null; data: T | null; error: ApiError | null }>({
		key: null,
		data: null,
		error: null,
	});
	const [turn, setTurn] = useState(0);
	const latest = useRef(load);
	latest.current = load;
	useEffect(() => {
		if (key === null) return;
		const abort = new AbortController();
		let timer = 0;
		let first = true;
		const attempt = async (): Promise<void> => {
			const seen = first || !document.hidden;
			first = false;
			if (seen) await once(key, latest.current, abort.signal, setState);
			if (every > 0 && !abort.signal.aborted) timer = window.setTimeout(attempt, every);
		};
		void attempt();
		return () => {
			abort.abort();
			clearTimeout(timer);
		};
	}, [key, every, turn]);
	const current = state.key === key;
	const data = current ? state.data : null;
	const error = current ? state.error : null;
	const reload = useCallback(() => setTurn((n) => n + 1), []);
	return { data, error, loading: key !== null && data === null && error === null, reload };
}

type Put<T> = (next: (was: { key: string | null; data: T | null; error: ApiError | null }) => {
	key: string;
	data: T | null;
	error: ApiError | null;
}) => void;

async function once<T>(key: string, load: (signal: AbortSignal) => Promise<T>, signal: AbortSignal, put: Put<T>) {
	try {
		const data = await load(signal);
		if (!signal.aborted) put(() => ({ key, data, error: null }));
	} catch (cause) {
		if (signal.aborted) return;
		const error = cause instanceof ApiError ? cause : new ApiError(0, "Unexpected answer", String(cause));
		put((was) => ({ key, data: was.key === key ? was.data : null, error }));
	}
}

export const useGet = <T>(path: string | null, every = 0): Loaded<T> =>
	useLoad<T>(path, (signal) => get<T>(path ?? "", signal), every);

export interface Kept<T> {
	data: T | null;
	/** Of an answer that did not come; the last one is shown no longer where the question is another. */
	error: ApiError | null;
	/** The answer to what is asked now is on its way. */
	busy: boolean;
	reload: () => void;
}

/** The last answer stays while the next one is computed, so that nothing jumps. */
export function useKept<T>(path: string | null, every = 0): Kept<T> {
	const now = useGet<T>(path, every);
	const last = useRef<T | null>(null);
	if (now.data) last.current = now.data;
	const none = path === null || (now.error && !now.data);
	return { data: none ? null : last.current, error: now.data ? null : now.error, busy: now.loading, reload: now.reload };
}
