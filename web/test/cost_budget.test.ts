// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { barOf, budgetAddress, byUrgency, keyText, outlook } from "../src/lib/cost/budget";
import type { Budget } from "../src/lib/cost/budget";

const budget = (own: Partial<Budget> = {}): Budget => ({
	name: "b", key: "pipeline", value: "rnaseq", month: "2026-11", usd_month: 100, spent_usd: 40, forecast_usd: 80, forecast_low_usd: 60, forecast_high_usd: 90, exceeded_at: null,
	state: "ok", ...own,
});

describe("a budget", () => {
	it("is a bar as long as the budget, or as what may be spent", () => {
		expect(barOf(budget())).toEqual({ spent: 0.4, low: 0.6, high: 0.9, limit: 1 });
		expect(barOf(budget({ forecast_high_usd: 200 }))).toEqual({ spent: 0.2, low: 0.3, high: 1, limit: 0.5 });
	});
	it("without a forecast, or of nothing, has a bar all the same", () => {
		const none = { forecast_usd: null, forecast_low_usd: null, forecast_high_usd: null };
		expect(barOf(budget(none))).toEqual({ spent: 0.4, low: 0.4, high: 0.4, limit: 1 });
		expect(barOf(budget({ ...none, spent_usd: null, usd_month: 0 }))).toEqual({ spent: 0, low: 0, high: 0, limit: 0 });
	});
	it("says what to expect", () => {
		expect(outlook(budget())).toBe("forecast $80.00");
		expect(outlook(budget({ exceeded_at: "2026-11-24T10:00:00Z", state: "at_risk" }))).toBe("forecast $80.00, exceeded on 24 Nov if it goes on");
		expect(outlook(budget({ exceeded_at: "2026-11-24T10:00:00Z", state: "exceeded" }))).toBe("exceeded on 24 Nov");
		expect(outlook(budget({ forecast_usd: null }))).toBe("no forecast before three days are known");
	});
	it("leads to its costs, unless it is for a pattern", () => {
		expect(budgetAddress(budget())).toBe("/cost?time=month&by=run&pipeline=rnaseq");
		expect(budgetAddress(budget({ key: "label:project", value: "x" }))).toBe("/cost?time=month&label=project%3Ax");
		expect(["rna*", "r?", "[ab]"].map((value) => budgetAddress(budget({ value })))).toEqual([null, null, null]);
		expect(budgetAddress(budget({ key: "cost_centre" }))).toBeNull();
	});
	it("is named by what it is for", () => expect([keyText(budget()), keyText(budget({ key: "label:project", value: "x" })), keyText(budget({ key: "cost_centre" }))]).toEqual(["pipeline rnaseq", "project x", "cost centre rnaseq"]));
	it("that needs attention comes first", () =>
		expect(byUrgency([budget({ name: "a" }), budget({ name: "b", state: "at_risk" }), budget({ name: "c", state: "exceeded" })]).map(({ name }) => name)).toEqual(["c", "b", "a"]));
});
