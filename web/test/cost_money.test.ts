// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { money, moneyParts, rowTexts, sumOf } from "../src/lib/cost/money";

/** What a reader who adds up the texts gets, in billionths. */
const added = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + (/^[<>]/.test(text) ? 0 : Math.round(Number(text.replace(/[$,]/g, "")) * 1e9)), 0);
const read = (text: string): number => added([text]);

describe("an amount of money", () => {
	it("has cents, and four significant digits below a dollar", () =>
		expect([1234.5, 1, 0.5, 0.123456, 0.0123456, 0.000123456, 0].map(money)).toEqual(["$1,234.50", "$1.00", "$0.5000", "$0.1235", "$0.01235", "$0.0001235", "$0.00"]));
	it("has no digits below a billionth", () => expect([0.000000345, 1e-9].map(money)).toEqual(["$0.000000345", "$0.000000001"]));
	it("is rounded up to a dollar as a dollar", () => expect(money(0.99999)).toBe("$1.00"));
	it("may be a credit", () => expect(money(-12.5)).toBe("-$12.50"));
	it("that is not known is a dash, not 0", () => expect([money(null), money(undefined), money(Number.NaN)]).toEqual(["–", "–", "–"]));
});

describe("the parts of an amount, as shown", () => {
	it("add up to it where rounding each by itself would not", () => {
		const parts = [0.334, 0.333, 0.333].map((one) => one * 10);
		expect(moneyParts(10, parts)).toEqual(["$3.34", "$3.33", "$3.33"]);
		expect(moneyParts(1, [0.335, 0.335, 0.33])).toEqual(["$0.34", "$0.33", "$0.33"]);
	});
	it("add up for any amounts", () => {
		let seed = 1;
		const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
		for (let n = 0; n < 2000; n++) {
			const amounts = Array.from({ length: 4 }, () => Math.floor(10 ** (random() * 12)) * (random() < 0.2 ? -1 : 1));
			const whole = amounts.reduce((sum, one) => sum + one, 0) / 1e9;
			const texts = moneyParts(whole, amounts.map((one) => one / 1e9));
			expect(added(texts), `${texts} of ${money(whole)}`).toBe(read(money(whole)));
		}
	});
	it("that are something are not shown as nothing, and nothing is", () => expect(moneyParts(100, [99.999, 0.001, 0])).toEqual(["$100.00", "< $0.01", "$0.00"]));
	it("may be credits", () => expect(moneyParts(9.99, [10.004, 0.0004, -0.0144])).toEqual(["$10.00", "< $0.01", "-$0.01"]));
	it("are not made to fit where they do not add up", () => expect(moneyParts(10, [3, 3])).toEqual(["$3.00", "$3.00"]));
	it("may be unknown", () => expect([moneyParts(2, [2, null]), moneyParts(null, [1, null])]).toEqual([["$2.00", "–"], ["$1.00", "–"]]));
});

describe("the amounts of a row", () => {
	const row = (used_usd: number, unused_usd: number, idle_usd: number, unallocated_usd: number | null) => ({
		used_usd, unused_usd, idle_usd, cost_usd: (Math.round(used_usd * 1e9) + Math.round(unused_usd * 1e9) + Math.round(idle_usd * 1e9)) / 1e9, unallocated_usd,
	});
	it("add up to its cost, and with hosts without tasks to all", () => {
		expect(rowTexts(row(0.153261674, 0.306828603, 0.873243056, 0.222222222))).toEqual({ parts: ["$0.16", "$0.31", "$0.87"], cost: "$1.34", none: "$0.22", all: "$1.56" });
		expect(rowTexts(row(0.1, 0, 0.2, null))).toEqual({ parts: ["$0.1000", "$0.00", "$0.2000"], cost: "$0.3000", none: "–", all: "$0.3000" });
	});
	it("add up for any amounts, each within a digit of what it is", () => {
		let seed = 3;
		const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
		for (let n = 0; n < 1000; n++) {
			const one = row(...(Array.from({ length: 3 }, () => Math.floor(10 ** (random() * 12)) / 1e9) as [number, number, number]), Math.floor(10 ** (random() * 12)) / 1e9);
			const { parts, cost, none, all } = rowTexts(one);
			expect([added(parts), added([cost, none])], `${parts} = ${cost}, + ${none} = ${all}`).toEqual([added([cost]), added([all])]);
			const step = 1 / 10 ** (all.split(".")[1] ?? "").length;
			if (!cost.startsWith("<")) expect(Math.abs(read(cost) / 1e9 - one.cost_usd)).toBeLessThanOrEqual(step * 1.0001);
		}
	});
	it("are not known where no price is", () =>
		expect(rowTexts({ used_usd: null, unused_usd: null, idle_usd: null, cost_usd: null, unallocated_usd: 1 })).toEqual({ parts: ["–", "–", "–"], cost: "–", none: "$1.00", all: "–" }));
});

describe("a sum", () => {
	it("has no error of fractions, and is not known where nothing is", () => expect([sumOf([0.1, 0.2, null]), sumOf([null])]).toEqual([0.3, null]));
});
