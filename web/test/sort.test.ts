// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { matches, orderText, parseOrder, sorted } from "../src/lib/sort";

describe("sorted", () => {
	const rows = [{ n: 3 }, { n: null }, { n: 1 }, { n: 2 }];
	it("puts what is unknown last, up and down", () => {
		expect(sorted(rows, (r) => r.n, false).map((r) => r.n)).toEqual([1, 2, 3, null]);
		expect(sorted(rows, (r) => r.n, true).map((r) => r.n)).toEqual([3, 2, 1, null]);
	});
	it("keeps the order of equal rows", () => {
		const same = ["b1", "a", "b2", "b3"];
		expect(sorted(same, (s) => s[0], true)).toEqual(["b1", "b2", "b3", "a"]);
	});
	it("reads numbers in words", () => {
		expect(sorted(["s10", "s2", "S1"], (s) => s, false)).toEqual(["S1", "s2", "s10"]);
	});
	it("leaves the given rows alone", () => {
		sorted(rows, (r) => r.n, false);
		expect(rows[0]).toEqual({ n: 3 });
	});
});

describe("an order in the address", () => {
	it("survives the way there and back", () => {
		for (const text of ["-wall_s", "name"]) expect(orderText(parseOrder(text, { key: "x", down: true }))).toBe(text);
		expect(parseOrder(null, { key: "x", down: true })).toEqual({ key: "x", down: true });
	});
});

describe("matches", () => {
	it("needs every word, in any text, in any case", () => {
		expect(matches("BWA s2", ["bwa mem", "S2", null])).toBe(true);
		expect(matches("bwa s3", ["bwa mem", "S2"])).toBe(false);
		expect(matches("", [])).toBe(true);
	});
});
