// SPDX-License-Identifier: Apache-2.0
// One stream for all pages of a browser: what the shared worker and its pages send to each other. A browser keeps six connections to one
// lake: with a stream for each page the seventh page would wait for ever.
import { stream } from "./live_stream";
import type { Link, Stream } from "./live_stream";

/** From a page: whether it is to be seen, and that it goes. */
export type Presence = "seen" | "hidden" | "gone";
/** To a page: the state of the stream, or the text of an event about runs. */
export type News = { link: Link } | { rows: string };

export interface Port {
	postMessage(news: News): void;
	onmessage: ((event: MessageEvent<Presence>) => void) | null;
}

type Open = (link: (link: Link) => void, rows: (text: string) => void) => Stream;

/** Keeps a stream open while a page is to be seen. Gives what takes the port of each new page. */
export function ports(open: Open = stream): (port: Port) => void {
	const pages = new Map<Port, boolean>();
	let link: Link = "connecting";
	let last: string | null = null;

	const tell = (news: News): void => {
		for (const port of pages.keys()) port.postMessage(news);
	};
	const source = open(
		(now) => {
			link = now;
			tell({ link });
		},
		(rows) => {
			last = rows;
			tell({ rows });
		},
	);

	function heed(port: Port, presence: Presence): void {
		if (presence === "gone") pages.delete(port);
		else pages.set(port, presence === "seen");
		if ([...pages.values()].some((seen) => seen)) {
			source.open();
			return;
		}
		source.close();
		link = "connecting";
		last = null; // it grows old
	}

	return (port) => {
		pages.set(port, false);
		port.onmessage = (event) => heed(port, event.data);
		port.postMessage({ link });
		if (last !== null) port.postMessage({ rows: last });
	};
}
