// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import {
	askedOf, asksNothing, canBeAsked, coresText, costText, differenceText, factorsOf, lanesOf, memoryOf, memoryStops, memoryText, mostCores, ranked, slotsText, spansOf, stopOf, withFactor,
} from "../src/lib/tune/whatif";
import type { WhatIfMeasured, WhatIfPredicted, WhatIfTask } from "../src/lib/tune/model_whatif";

const GIB = 2 ** 30;
const measured: WhatIfMeasured = {
	wall_s: 100, host_cpus: 8, host_memory_bytes: 24 * GIB, cores: 2, cores_inferred: true, slots: 2, replayed_s: 101, cost_usd: 0.1, price_usd_hour: 0.5,
};
const predicted: WhatIfPredicted = {
	wall_s: 60, wall_low_s: 50, wall_high_s: 72, cores: 4, slots: null, memory_peak_bytes: GIB, cost_usd: 0.06, cost_low_usd: 0.05, cost_high_usd: 0.07,
};
const task = (id: string, began_s: number | null, ended_s: number | null): WhatIfTask => ({
	id, step: "a", name: id, began_s, ended_s, predicted_began_s: began_s === null ? null : began_s / 2, predicted_ended_s: ended_s === null ? null : ended_s / 2,
});

describe("what is asked", () => {
	it("is what the address has", () => {
		expect(askedOf(new URLSearchParams("cores=4&no_queue=true&tab=whatif"))).toEqual({ cores: "4", memory: null, step: null, no_queue: "true" });
		expect(asksNothing(askedOf(new URLSearchParams("tab=whatif&no_queue=false")))).toBe(true);
		expect(asksNothing(askedOf(new URLSearchParams("step=a:0.5")))).toBe(false);
	});
	it("has a factor for each step, the name of which may have colons", () => {
		expect([...factorsOf("NF:ALIGN:0.5,sort:0.25")]).toEqual([["NF:ALIGN", "0.5"], ["sort", "0.25"]]);
		expect([...factorsOf("no factor,:1")]).toEqual([]);
	});
	it("changes by one step", () => {
		expect(withFactor("NF:ALIGN:0.5", "sort", "0.25")).toBe("NF:ALIGN:0.5,sort:0.25");
		expect(withFactor("NF:ALIGN:0.5,sort:0.25", "sort", "")).toBe("NF:ALIGN:0.5");
		expect(withFactor("sort:0.25", "sort", "")).toBeNull();
	});
	it("is no step of which the name has a comma", () => expect([canBeAsked("a, b"), canBeAsked(""), canBeAsked("a:b")]).toEqual([false, false, true]));
});

describe("the cores to choose from", () => {
	it("end where the run's scaling was not seen, but hold what is asked", () => expect([mostCores(measured, null), mostCores(measured, "64")]).toEqual([8, 64]));
	it("are at least two, whatever is known", () => expect([mostCores({ cores: null, host_cpus: null }, "abc"), mostCores({ cores: 0.25, host_cpus: 1 }, null)]).toEqual([4, 2]));
});

describe("the memory to choose from", () => {
	it("is read as the address has it", () => {
		expect(["512M", "24G", "1.5g", "100", "2GiB", "", "much"].map(memoryOf)).toEqual([512 * 2 ** 20, 24 * GIB, 1.5 * GIB, 100, 2 * GIB, null, null]);
		expect([512 * 2 ** 20, 24 * GIB].map(memoryText)).toEqual(["512M", "24G"]);
	});
	it("holds what the host has, and ends", () => {
		const stops = memoryStops(2000 * GIB, null);
		expect(stops.at(-1)).toBeGreaterThanOrEqual(2000 * GIB);
		expect(memoryStops(Infinity, null)).toHaveLength(40);
	});
	it("has a nearest stop", () => {
		const stops = memoryStops(null, null);
		expect(stops[stopOf(stops, 900 * 2 ** 20)]).toBe(GIB);
		expect(stopOf(stops, 1)).toBe(0);
	});
});

describe("the answer", () => {
	it("is a difference only outside of the interval", () => {
		expect(differenceText(measured, predicted)).toBe("40.0 s less (40.0 %)");
		expect(differenceText(measured, { ...predicted, wall_s: 130, wall_low_s: 110, wall_high_s: 150 })).toBe("30.0 s more (30.0 %)");
		expect(differenceText(measured, { ...predicted, wall_high_s: 101 })).toBe("no difference that is sure");
	});
	it("names the cores that the run had", () => {
		expect(coresText(measured)).toBe("2 cores of 8 CPUs, by what it used");
		expect(coresText({ ...measured, cores: 8, cores_inferred: false })).toBe("8 cores");
		expect(coresText({ ...measured, cores: null, host_cpus: null })).toBe("cores not known");
	});
	it("has no cost without a price, and no number where there is no limit", () => {
		expect(costText(predicted)).toBe("$0.050 to $0.070");
		expect(costText({ ...predicted, cost_low_usd: null })).toBe("no price is known");
		expect([slotsText(null), slotsText(2)]).toEqual(["not limited", "2"]);
	});
});

describe("the ranking", () => {
	const gain = { name: "sort", tasks: 3, saves_s: 10 };
	it("is that of the answer, with the steps that are asked for", () =>
		expect(ranked({ steps: [gain] }, ["align", "sort"], new Map([["old", "0.5"]])).map((row) => row.name)).toEqual(["sort", "old"]));
	it("has the run's steps where there is no answer, so that each can be changed back", () =>
		expect(ranked({ steps: [] }, ["align", "", "sort"], new Map([["sort", "0.5"]])).map((row) => [row.name, row.saves_s])).toEqual([["align", null], ["sort", null]]));
});

describe("the small timelines", () => {
	const tasks = [task("a", 0, 10), task("b", 5, 20), task("c", 10, 15), task("never", null, null)];
	it("have the tasks that ran, as measured and as predicted", () => {
		expect(spansOf(tasks, false).map(({ from, to }) => [from, to])).toEqual([[0, 10], [5, 20], [10, 15]]);
		expect(spansOf(tasks, true).map(({ from, to }) => [from, to])).toEqual([[0, 5], [2.5, 10], [5, 7.5]]);
	});
	it("have as few lanes as tasks at once", () => expect(lanesOf(spansOf(tasks, false)).map((lane) => lane.map(({ task: { id } }) => id))).toEqual([["a", "c"], ["b"]]));
});
