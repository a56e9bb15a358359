// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { DiffPart, DiffStep, RunDiff } from "../src/lib/tune/model_diff";
import { MOST_FACTORS, MOST_STEPS, placeOf, waterfallOf } from "../src/lib/tune/waterfall";
import type { Waterfall } from "../src/lib/tune/waterfall";

const S = 1e9;

const step = (name: string, from: number, to: number, state: DiffStep["state"] = "both"): DiffStep =>
	({ name, state, from_running_ns: from * S, to_running_ns: to * S, from_waiting_ns: 0, to_waiting_ns: 0, difference_ns: (to - from) * S }) as DiffStep;

const part = (name: string | null, factor: string, seconds: number): DiffPart => ({ step: name, factor, words: factor, difference_ns: seconds * S });

function diffOf(from: number, to: number, steps: DiffStep[], parts: DiffPart[] = []): RunDiff {
	const engine = to - from - steps.reduce((sum, one) => sum + one.difference_ns / S, 0);
	return {
		from: { id: "a", wall_ns: from * S },
		to: { id: "b", wall_ns: to * S },
		difference_ns: (to - from) * S,
		engine: { from_ns: 0, to_ns: engine * S, difference_ns: engine * S },
		steps,
		parts,
	} as unknown as RunDiff;
}

const made = (diff: RunDiff): Waterfall => {
	const chart = waterfallOf(diff);
	if (chart === null) throw new Error("no chart");
	return chart;
};

describe("the parts of a difference", () => {
	it("lead from one run to the other, each from where the one before ends", () => {
		const { rows } = made(diffOf(100, 130, [step("ALIGN", 40, 80), step("SORT", 30, 15)]));
		expect(rows.map((row) => [row.name, row.low_ns / S, row.high_ns / S])).toEqual([
			["Before", 0, 100],
			["ALIGN", 100, 140],
			["SORT", 125, 140],
			["no task: the engine", 125, 130],
			["Now", 0, 130],
		]);
	});

	it("add up, also where many steps are one row", () => {
		const steps = Array.from({ length: 20 }, (_, i) => step(`S${i}`, 1, 1 + (20 - i)));
		const { rows } = made(diffOf(100, 400, steps));
		const parts = rows.filter((row) => row.kind === "step");
		expect(parts.length).toBe(MOST_STEPS + 2);
		expect(parts.reduce((sum, row) => sum + row.difference_ns, 0)).toBe(300 * S);
		expect(parts[MOST_STEPS]?.name).toBe("12 other steps");
	});

	it("open to factors that add up to them, those of no other part among them", () => {
		const factors = ["serial", "disk", "input", "lock", "poll", "child", "sleep"].map((name, i) => part("ALIGN", name, 7 - i));
		const { rows } = made(diffOf(100, 128, [step("ALIGN", 10, 38), step("QC", 0, 0)], [...factors, part("QC", "disk", 0), part(null, "disk", 0)]));
		const align = rows.find((row) => row.name === "ALIGN");
		expect(align?.factors.length).toBe(MOST_FACTORS + 1);
		expect(align?.factors.reduce((sum, row) => sum + row.difference_ns, 0)).toBe(28 * S);
		expect(align?.factors[0]?.low_ns).toBe(100 * S);
		expect(align?.factors.at(-1)?.high_ns).toBe(128 * S);
	});

	it("a new step needs no factors", () => {
		const { rows } = made(diffOf(100, 110, [step("QC", 0, 10, "new")], [part("QC", "new", 10)]));
		expect(rows.find((row) => row.name === "QC (new)")?.factors).toEqual([]);
	});

	it("are not drawn of runs that have not ended", () => {
		expect(waterfallOf({ ...diffOf(1, 2, []), difference_ns: null })).toBeNull();
	});
});

describe("the axis", () => {
	it("leaves out what no part reaches, where the difference is small", () => {
		const chart = made(diffOf(1000, 1010, [step("ALIGN", 500, 510)]));
		expect(chart.min_ns).toBeGreaterThan(900 * S);
		for (const row of chart.rows) {
			const { left, width } = placeOf(row, chart);
			expect(left).toBeGreaterThanOrEqual(0);
			expect(left + width).toBeLessThanOrEqual(100.001);
		}
	});

	it("begins at 0 where the difference is large", () => {
		expect(made(diffOf(100, 300, [step("ALIGN", 50, 250)])).min_ns).toBe(0);
	});

	it("begins at 0 where there is no difference", () => {
		expect(made(diffOf(100, 100, [step("ALIGN", 50, 50)])).min_ns).toBe(0);
	});

	it("of two runs without time has no size", () => {
		const chart = made(diffOf(0, 0, []));
		expect(chart.rows.map((row) => placeOf(row, chart))).toEqual(chart.rows.map(() => ({ left: 0, width: 0 })));
	});
});
