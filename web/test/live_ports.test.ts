// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { ports } from "../src/lib/live_ports";
import type { News, Port, Presence } from "../src/lib/live_ports";
import type { Link } from "../src/lib/live_stream";

class Page implements Port {
	news: News[] = [];
	onmessage: ((event: MessageEvent<Presence>) => void) | null = null;
	postMessage(news: News): void {
		this.news.push(news);
	}
	tell(presence: Presence): void {
		this.onmessage?.({ data: presence } as MessageEvent<Presence>);
	}
}

/** A stream that notes whether it is open. */
class Source {
	isOpen = false;
	link: (link: Link) => void = () => {};
	rows: (text: string) => void = () => {};
	make = (link: (link: Link) => void, rows: (text: string) => void) => {
		Object.assign(this, { link, rows });
		return { open: () => void (this.isOpen = true), close: () => void (this.isOpen = false) };
	};
}

describe("pages that share a stream", () => {
	it("all get what it sends, and a later page what was sent last", () => {
		const source = new Source();
		const take = ports(source.make);
		const [first, second, third] = [new Page(), new Page(), new Page()];
		take(first);
		take(second);
		first.tell("seen");
		source.link("live");
		source.rows("1");
		take(third);
		expect(second.news).toEqual([{ link: "connecting" }, { link: "live" }, { rows: "1" }]);
		expect(third.news).toEqual([{ link: "live" }, { rows: "1" }]);
	});
	it("keep it open while one of them is to be seen", () => {
		const source = new Source();
		const take = ports(source.make);
		const [first, second] = [new Page(), new Page()];
		take(first);
		expect(source.isOpen).toBe(false);
		first.tell("seen");
		take(second);
		second.tell("seen");
		first.tell("gone");
		expect(source.isOpen).toBe(true);
		second.tell("hidden");
		expect(source.isOpen).toBe(false);
		source.rows("late");
		expect(first.news).toEqual([{ link: "connecting" }]);
	});
});
