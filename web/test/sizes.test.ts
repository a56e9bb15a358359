// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { amountOf, secondTryText, basisText, cpusUsedText, escalationText, figure, gbHours, historyText, riskText, savedBy, savedByAll, settingsOf, slowdownText } from "../src/lib/tune/sizes";
import { sizes, stepSize } from "./tune_fixtures";

const [align, sort, few, cautious, unknown] = sizes.steps as [ReturnType<typeof stepSize>, ReturnType<typeof stepSize>, ReturnType<typeof stepSize>, ReturnType<typeof stepSize>, ReturnType<typeof stepSize>];

describe("what a size rests on", () => {
	it("is a formula where it grows with the input, in the unit of the thing", () => {
		expect(basisText(amountOf(align, "memory"))).toBe("410 MiB + 1.25 × input, × 1.10");
		expect(basisText(amountOf(align, "time"))).toBe("30.0 s + 429 ms for each GiB of input, × 1.20");
	});
	it("may begin below 0, or at it", () => {
		const amount = amountOf(align, "memory");
		expect(basisText({ ...amount, intercept: -(2 ** 20), factor: 1 })).toBe("1.25 × input − 1.00 MiB");
		expect(basisText({ ...amount, intercept: -1e-7, factor: null })).toBe("1.25 × input");
	});
	it("says why it is no more than a guess", () => {
		expect(basisText(amountOf(few, "memory"))).toBe("as requested: there is too little history");
		expect(basisText(amountOf(cautious, "memory"))).toMatch(/^well above the most that was seen/);
		expect(basisText(amountOf(unknown, "memory"))).toBe("not known: nothing was measured");
	});
	it("is said to be sure, or how much it lacks", () => {
		expect([align, sort, few, cautious].map((step) => historyText(amountOf(step, "memory")))).toEqual([
			"enough", "enough", "needs 1 more task and 1 more run", "needs 9 more tasks and 1 more run",
		]);
		expect(historyText(amountOf(align, "disk"))).toBe("enough, surer after 4 more tasks");
		expect(historyText({ ...amountOf(few, "memory"), needs_tasks: 0, needs_runs: 0 })).toBe("not enough");
	});
	it("has no figure where none is known", () => {
		const amount = amountOf(unknown, "time");
		expect([amount.advised, figure("time", amount.advised), riskText(amount.risk)]).toEqual([null, "–", "–"]);
	});
	it("takes a risk that was never seen for small, not for none", () => expect([riskText(0), riskText(0.004)]).toEqual(["< 0.1 %", "0.4 %"]));
});

describe("the risk of all tasks", () => {
	it("is given in tasks", () => expect([0.008, 0.00001].map(secondTryText)).toEqual(["About 0.8 of a hundred tasks would need a second try with more memory.", "Hardly any task would need a second try with more memory."]));
});

describe("what a size saves", () => {
	it("is that of all tasks of the run; below 0 where the request must grow", () => {
		expect(savedBy(align)).toBeCloseTo(38.4);
		expect(savedBy(sort)).toBeCloseTo(-1.8);
		expect(savedBy(unknown)).toBeNull();
	});
	it("adds up over the steps of which it is known", () => {
		expect(savedByAll(sizes.steps)?.saved).toBeCloseTo(36.6);
		expect(savedByAll([unknown])).toBeNull();
	});
	it("is given by the second where it is little", () =>
		expect([0.00123, 2.93e-5, 12.345, 0, null].map(gbHours)).toEqual(["4.4 GB·s", "0.11 GB·s", "12.35 GB·h", "0.00 GB·h", "–"]));
});

describe("CPUs", () => {
	it("names the use of one task in twenty only where it differs", () => {
		expect(cpusUsedText(align)).toBe("uses 3.40, at times 3.90");
		expect(cpusUsedText(sort)).toBe("uses 2.00");
		expect(cpusUsedText(unknown)).toBe("use not known");
	});
	it("says what fewer of them cost", () => {
		expect(slowdownText(align)).toBe("With the advised CPUs it takes at most 2.0 % longer.");
		expect(slowdownText(sort)).toMatch(/may gain by more/);
		expect(slowdownText(stepSize({ cpus_slowdown: 1 }))).toMatch(/no longer/);
		expect(slowdownText(stepSize({ cpus_advised: 8 }))).toBe("");
	});
});

describe("further tries", () => {
	it("are named where they ask for more", () => expect([align, cautious].map(escalationText)).toEqual(["× 1.50 in the second try, × 3.00 in the third", ""]));
});

describe("the settings to copy", () => {
	it("are those that are asked for, then those of the run's engine, then those that there are", () => {
		expect(settingsOf("slurm", sizes)).toBe("slurm");
		expect(settingsOf("make", sizes)).toBe("nextflow");
		expect(settingsOf(null, { engine: "make", settings: { snakemake: "x" } })).toBe("snakemake");
		expect(settingsOf(null, { engine: null })).toBe("nextflow");
	});
});
