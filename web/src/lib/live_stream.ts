// SPDX-License-Identifier: Apache-2.0
// The lake's stream of events, opened again after a failure: of a page, or of the worker that all pages of a browser share.

export type Link = "connecting" | "live" | "broken";

/** Milliseconds before the next try, after so many failures. */
const wait = (failures: number): number => Math.min(30_000, 1000 * 2 ** Math.min(failures, 5));

export interface Stream {
	open(): void;
	close(): void;
}

/** `rows` gets the text of each event about runs. */
export function stream(link: (link: Link) => void, rows: (text: string) => void): Stream {
	let source: EventSource | null = null;
	let retry: ReturnType<typeof setTimeout> | undefined;
	let failures = 0;

	function close(): void {
		clearTimeout(retry);
		source?.close();
		source = null;
	}

	function failed(): void {
		close();
		failures++;
		retry = setTimeout(open, wait(failures));
		link("broken");
	}

	function open(): void {
		if (source !== null) return;
		clearTimeout(retry);
		source = new EventSource("/api/v1/live");
		source.addEventListener("open", () => {
			failures = 0;
			link("live");
		});
		source.addEventListener("runs", (event) => rows((event as MessageEvent<string>).data));
		source.addEventListener("error", failed);
	}

	return { open, close };
}
