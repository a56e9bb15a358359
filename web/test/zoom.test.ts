// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { zoomOf } from "../src/charts/zoom";
import { spans } from "../src/lib/prose";

const at = (s: number) => new Date(s * 1000).toISOString();
const whole = { from: 0, to: 1_000_000 };
const task = { from: 400_000, to: 500_000 };

describe("the zoom that an address asks for", () => {
	it("is a task with some space beside it", () => expect(zoomOf("task", whole, task)).toEqual({ range: { from: 385_000, to: 515_000 }, marks: [] }));
	it("is a span, with marks at its ends", () =>
		expect(zoomOf(`${at(100)}/${at(200)}`, whole, null)).toEqual({ range: { from: 85_000, to: 215_000 }, marks: [100_000, 200_000] }));
	it("is around an instant, as wide as its task, but a fifth of the run at most", () => {
		expect(zoomOf(at(450), whole, task)).toEqual({ range: { from: 385_000, to: 515_000 }, marks: [450_000] });
		expect(zoomOf(at(450), whole, whole)).toEqual({ range: { from: 350_000, to: 550_000 }, marks: [450_000] });
		expect(zoomOf(at(450), whole, null).range).toEqual({ from: 400_000, to: 500_000 });
	});
	it("stays within the run", () => expect(zoomOf(at(1000), whole, null)).toEqual({ range: { from: 900_000, to: 1_000_000 }, marks: [1_000_000] }));
	it("of an instant alone has a width", () => expect(zoomOf(`${at(5)}/${at(5)}`, whole, null).range).toEqual({ from: 4_900, to: 5_100 }));
	it("is none of what cannot be read", () => {
		for (const text of [null, "", "soon", `${at(2)}/${at(1)}`, `${at(1)}/x`, `${at(1)}/${at(2)}/${at(3)}`]) expect(zoomOf(text, whole, task)).toEqual({ range: null, marks: [] });
		expect(zoomOf("task", whole, null)).toEqual({ range: null, marks: [] });
	});
});

describe("a sentence of the lake", () => {
	it("has code between backticks", () => expect(spans("`bwa mem` failed, see `log`.")).toEqual(["", "bwa mem", " failed, see ", "log", "."]));
	it("keeps a backtick without a partner", () => {
		expect(spans("a ` b")).toEqual(["a ` b"]);
		expect(spans("`x` and `")).toEqual(["", "x", " and `"]);
	});
	it("hides nothing", () => expect(spans("`a\u202eb`\n")).toEqual(["", "a⟨U+202E⟩b", "↵"]));
});
