// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { billNames, chosenBill, linesOf, stateText } from "../src/lib/cost/invoice";
import type { Bill, BillPeriod, Invoice } from "../src/lib/cost/invoice";
import { moneyParts } from "../src/lib/cost/money";

const period = (id: string, own: Partial<BillPeriod> = {}): BillPeriod => ({
	id, name: `${id}.csv`, format: "FOCUS 1.2", imported_at: "2026-12-02T00:00:00Z", complete: true, provider: "aws", account_id: "1", since_at: "2026-11-01T00:00:00Z",
	until_at: "2026-12-01T00:00:00Z", final: true, corrects: false, lines: 3, currency: "USD", billed: "1", billed_usd: 1, effective_usd: 1, superseded_by: null, ...own,
});
const invoice = (own: Partial<Invoice> = {}): Invoice => ({
	invoice: "INV", currency: "USD", lines: 3, billed: "10", effective: "10", billed_usd: 10, effective_usd: 10, tasks_usd: 4, engines_usd: 0.5, unallocated_usd: 2.5, remainder_usd: 3, ...own,
});
const bill = (own: Partial<Bill> = {}): Bill => ({
	id: "b", periods: [], invoices: [],
	remainder: [
		{ invoice: "INV", name: "tax", title: "tax", service: null, usd: 4.001 }, { invoice: "INV", name: "credit", title: "credits", service: null, usd: -1.001 },
		{ invoice: "INV", name: "other", title: "other services", service: "Athena", usd: 0 }, { invoice: "other", name: "tax", title: "tax", service: null, usd: 9 },
	],
	...own,
});

describe("an invoice", () => {
	it("is what agents reported and the named rest of it alone", () => {
		const lines = linesOf(bill(), invoice());
		expect(lines.map((line) => line.title)).toEqual(["tasks", "engines and shells", "hosts without tasks", "tax", "credits", "other services: Athena"]);
		expect(moneyParts(10, lines.map((line) => line.usd))).toEqual(["$4.00", "$0.50", "$2.50", "$4.00", "-$1.00", "$0.00"]);
	});
	it("in another currency is never added", () => expect(linesOf(bill(), invoice({ currency: "EUR", billed_usd: null }))).toEqual([]));
});

describe("a bill", () => {
	it("is the last one that counts, unless another one is asked for", () => {
		const bills = [period("new", { complete: false }), period("abc", { superseded_by: "x" }), period("good")];
		expect([chosenBill(bills, null), chosenBill(bills, "ab"), chosenBill(bills, "none"), chosenBill([], null)]).toEqual(["good", "abc", "good", null]);
		expect(chosenBill(bills.slice(0, 2), null)).toBe("new");
	});
	it("has one name for all of its months", () =>
		expect(billNames([period("a"), period("a", { since_at: "2026-09-01T00:00:00Z" }), period("b")])).toEqual([["a", "a.csv, aws, 2026-09 to 2026-11"], ["b", "b.csv, aws, 2026-11"]]));
	it("says whether it counts", () =>
		expect([period("a", { complete: false }), period("a", { superseded_by: "b" }), period("a", { final: false }), period("a", { corrects: true }), period("a")].map(stateText)).toEqual([
			"not all files of its export are here: it does not count yet", "replaced by a later file", "provisional", "corrections", "final",
		]));
});
