// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { placeOn, plotOf, scaleOf } from "../src/lib/waste/front";
import type { Candidate, MeasuredHosts } from "../src/lib/waste/model_recommend";
import {
	askedOf, asksNothing, changeText, choicesText, choiceText, csvOf, fieldOf, hostsText, instantOf, keyOf, limitsOf, listed, machineText, recommendAddress, recommendPath, risksOf, secondsOf, withinText,
} from "../src/lib/waste/recommend";

const candidate = (parts: Partial<Candidate>): Candidate => ({
	provider: "aws", type: "c7i.2xlarge", region: "eu-west-1", purchase: "spot", hosts: 1, cpus: 8, memory_bytes: 2 ** 34, arch: "x86_64", usd_hour: 0.4, price_exact: true, wall_s: 100, wall_low_s: 90, wall_high_s: 120,
	cost_usd: 1, cost_low_usd: 0.9, cost_high_usd: 1.2, front: false, choice: null, choices: null, memory_headroom: 0.4, interruption: null, interruption_loss_s: null, move_bytes: 0, same_arch: true,
	notes: [], ...parts,
});
const measured: MeasuredHosts = { type: "m6i.2xlarge", region: "eu-west-1", hosts: 2, cpus: 8, wall_s: 150, cost_usd: 2 };

describe("what is asked", () => {
	it("is what the address has", () => {
		const asked = askedOf(new URLSearchParams("run=r1&pipeline=p&within=3600&types=c7*&show=all&mark=m"));
		expect(asked).toMatchObject({ run: "r1", pipeline: null, within: "3600", types: "c7*", below: null, all: true, mark: "m" });
		expect(recommendPath(asked)).toBe("/recommend?run=r1&within=3600&types=c7*&limit=100");
		expect(recommendPath(askedOf(new URLSearchParams("days=30")))).toBe("/recommend?days=30&limit=100");
		expect(askedOf(new URLSearchParams("days=31")).days).toBe("7");
		expect(asksNothing(asked)).toBe(false);
		expect(asksNothing(askedOf(new URLSearchParams("run=r1&show=all")))).toBe(true);
	});
	it("is linked from runs and pipelines", () => {
		expect([recommendAddress({ run: "r 1" }), recommendAddress({ pipeline: "p" }), recommendAddress()]).toEqual(["/recommend?run=r+1", "/recommend?pipeline=p", "/recommend"]);
	});
	it("has spans as people write them", () => {
		expect(["5h", "1h 30m", "90", "1d2h", "45 min", "1.5h", "", "soon", "5 h x"].map(secondsOf)).toEqual([18_000, 5400, 5400, 93_600, 2700, 5400, null, null, null]);
		expect(["5400", "93600", "59", null, "x", "-1"].map(withinText)).toEqual(["1h 30m", "26h", "59s", "", "", ""]);
	});
	it("has an instant as a field shows it, in the reader's time zone", () => {
		expect(instantOf(fieldOf("2026-11-30T08:00:00Z"))).toBe("2026-11-30T08:00:00Z");
		expect([fieldOf(null), fieldOf("soon"), instantOf("")]).toEqual(["", "", null]);
	});
	it("limits the plot", () => {
		const limits = (text: string) => limitsOf(askedOf(new URLSearchParams(text)), Date.parse("2026-11-30T07:00:00Z"));
		expect(limits("within=60&below=20")).toEqual({ wall_s: 60, cost_usd: 20 });
		expect(limits("by=2026-11-30T08:00:00Z&below=x")).toEqual({ wall_s: 3600, cost_usd: null });
		expect(limits("by=2026-11-30T06:00:00Z")).toEqual({ wall_s: null, cost_usd: null });
	});
});

describe("the candidates", () => {
	const front = candidate({ front: true });
	const chosen = candidate({ type: "x", choice: "fastest_below" });
	const other = candidate({ type: "y" });
	it("are listed if they are of the front or chosen, or all of them", () => {
		expect(listed({ candidates: [front, chosen, other] }, false)).toEqual([front, chosen]);
		expect(listed({ candidates: [front, chosen, other] }, true)).toHaveLength(3);
	});
	it("have a key each, and words", () => {
		expect(keyOf(front)).not.toBe(keyOf(candidate({ purchase: "on_demand" })));
		expect([choiceText(front), choiceText(chosen), choiceText(candidate({ choice: "most_green" }))]).toEqual(["", "Fastest below the limit", "most green"]);
		expect(choicesText({ choice: "cheapest_in_time", choices: "cheapest_in_time,cheapest" })).toBe("Cheapest in time, cheapest");
		expect([machineText(front), machineText(candidate({ provider: null, region: null, purchase: null, type: "own" }))]).toEqual(["c7i.2xlarge, spot, aws eu-west-1", "own"]);
		expect([hostsText(measured), hostsText({ hosts: 1, type: null })]).toEqual(["2 × m6i.2xlarge", "type not known"]);
	});
	it("are compared with what was measured, where both are known", () => {
		expect([changeText(2, 1), changeText(2, 3), changeText(2, 2), changeText(null, 1), changeText(0, 1), changeText(2, null)]).toEqual(["50.0 % less", "50.0 % more", "the same", "", "", ""]);
	});
	it("say what speaks against them", () => {
		expect(risksOf(candidate({ purchase: "on_demand" }))).toEqual([]);
		expect(risksOf(front)).toEqual(["interruptions not known"]);
		expect(risksOf(candidate({ purchase: null, memory_headroom: null }))).toEqual(["memory not known"]);
		expect(risksOf(candidate({ memory_headroom: -0.02, interruption: "5 to 10 %", interruption_loss_s: 60, same_arch: false, arch: "arm64" }))).toEqual([
			"memory tight: 0 % free", "5 to 10 % interrupted a month, 1m 00s lost on average", "arm64: its speed is not known",
		]);
	});
	it("are a file, what was measured first", () => {
		const [head, first, second, end] = csvOf(measured, [candidate({ type: '=a,"b', notes: ["one", "two"], cost_usd: null })]).split("\r\n");
		expect(head).toMatch(/^choice,front,provider,type,/);
		expect(first).toMatch(/^measured,,,m6i\.2xlarge,eu-west-1,,2,8,/);
		expect(second).toContain(`,"'=a,""b",`);
		expect(second).toMatch(/,one; two$/);
		expect(second).toContain(",120,,0.9,");
		expect(end).toBe("");
	});
});

describe("the plot", () => {
	it("begins at nothing where values are alike, and is logarithmic where they are not", () => {
		const near = scaleOf("cost_usd", [1, 2]);
		expect([near.from, near.log, near.marks[0]?.value]).toEqual([0, false, 0]);
		const far = scaleOf("wall_s", [60, 86_400]);
		expect(far.log).toBe(true);
		expect(far.marks.length).toBeGreaterThan(2);
		for (const scale of [near, far]) for (const { value } of scale.marks) expect(value >= scale.from && value <= scale.to).toBe(true);
		expect(placeOn(far, far.from)).toBeCloseTo(0);
		expect(placeOn(far, far.to)).toBeCloseTo(1);
		expect(placeOn(near, near.to / 2)).toBeCloseTo(0.5);
		expect(scaleOf("cost_usd", []).to).toBeGreaterThan(0);
		expect(scaleOf("cost_usd", [0]).to).toBeGreaterThan(0);
	});
	it("has the front from the fastest to the cheapest, and what else is within it", () => {
		const cheap = candidate({ front: true, type: "cheap", wall_s: 200, wall_high_s: 210, cost_usd: 0.5 });
		const fast = candidate({ front: true, type: "fast" });
		const plot = plotOf({ candidates: [cheap, fast, candidate({ type: "near", wall_s: 150 }), candidate({ wall_s: 9000 }), candidate({ cost_usd: null })], measured });
		expect(plot?.front.map(({ type }) => type)).toEqual(["fast", "cheap"]);
		expect(plot?.others.map(({ type }) => type)).toEqual(["near"]);
		expect([plot?.beyond, plot?.unpriced]).toEqual([1, 1]);
		expect(plot?.x.to).toBeGreaterThanOrEqual(210);
		expect(plot?.y.to).toBeGreaterThanOrEqual(2);
	});
	it("has a line of its own for what is not taken back", () => {
		const spot = candidate({ front: true, wall_s: 100, cost_usd: 0.5 });
		const steady = candidate({ front: true, purchase: "on_demand", wall_s: 100, cost_usd: 0.9 });
		const plot = plotOf({ candidates: [steady, spot], measured });
		expect([plot?.line, plot?.steady]).toEqual([[spot], [steady]]);
		expect(plotOf({ candidates: [candidate({ front: true, purchase: "on_demand" })], measured })?.steady).toEqual([]);
	});
	it("is none without a price", () => expect(plotOf({ candidates: [candidate({ front: true, cost_usd: null })], measured: null })).toBeNull());
});
