// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { briefly, endText, judgementOf, remainingText, sureText, toGoRange, toGoText, typicalText, usualText } from "../src/lib/tune/expected";
import type { ExpectedRun } from "../src/lib/tune/model_expected";
import { expected, expectedSteps as of, NOW, unusual } from "./tune_fixtures";

const run = expected.run as ExpectedRun;

describe("whether a run is as usual", () => {
	it("names the steps that are not", () =>
		expect(judgementOf({ steps: [of.usual, of.slow] })).toEqual({ usual: "not as usual", text: "1 step not as usual", steps: ["sort"] }));
	it("says of how many steps that is not known", () => {
		expect(judgementOf(expected)?.text).toBe("1 step not as usual; of 1 step there is not enough history (2 more runs needed)");
		expect(judgementOf({ steps: [of.usual, of.new] })?.text).toBe("As usual; of 1 step there is not enough history (2 more runs needed)");
	});
	it("is not said without history", () =>
		expect(judgementOf({ steps: [of.new] })).toMatchObject({ usual: "not enough history", text: "Not enough history to say whether this is as usual (2 more runs needed)" }));
	it("leaves out steps that have not begun", () =>
		expect(judgementOf({ steps: [of.usual, { ...of.new, usual: "not begun", runs_missing: null }] })?.text).toBe("As usual"));
	it("is plain where all is as usual, and nothing without steps", () => {
		expect(judgementOf({ steps: [of.usual] })?.text).toBe("As usual");
		expect(judgementOf({ steps: [] })).toBeNull();
	});
});

describe("when a run ends", () => {
	it("is a time with its interval, to the minute", () => expect(endText(run, NOW)).toBe("ends about 14:35, between 14:20 and 15:05"));
	it("is given to the second where it is near and sure", () =>
		expect(endText({ ...run, expected_end_at: new Date(NOW + 65_000).toISOString(), low_at: new Date(NOW + 60_000).toISOString(), high_at: new Date(NOW + 90_000).toISOString() }, NOW)).toBe(
			"ends about 14:01:05, between 14:01:00 and 14:01:30",
		));
	it("has the day where that is another", () =>
		expect(endText({ ...run, low_at: null, high_at: null, expected_end_at: new Date(NOW + 86_400_000).toISOString() }, NOW)).toBe("ends about 30 Nov, 14:00"));
	it("is said to be unknown, and why", () => {
		const unknown = { ...run, expected_end_at: null, low_at: null, high_at: null };
		expect(endText({ ...unknown, why_unknown: "no run of this pipeline has ended yet" }, NOW)).toBe("when it ends is not known: no run of this pipeline has ended yet");
		expect(endText(unknown, NOW)).toBe("when it ends is not known");
		expect(remainingText(unknown, NOW)).toBe("");
	});
	it("is brief in a list, with what is known", () => {
		const ends = { expected_end_at: run.expected_end_at };
		expect([{ ...ends, progress: 0.629 }, { ...ends, progress: null }, { expected_end_at: null, progress: 0.1 }, { expected_end_at: null, progress: undefined }].map((one) => briefly(one, NOW))).toEqual([
			"62 % done, ends about 14:35", "ends about 14:35", "10 % done", "",
		]);
	});
	it("counts down by the reader's clock", () => {
		expect(remainingText(run, NOW)).toBe("35m 00s to go");
		expect(remainingText(run, NOW + 2_200_000)).toBe("should end any moment");
	});
});

describe("a step", () => {
	it("has so much to go, in a range", () => {
		expect([toGoText(of.usual), toGoRange(of.usual)]).toEqual(["40 %, 10m 00s to go", "between 6m 40s and 15m 00s to go, in 80 of 100 cases"]);
		expect(toGoText({ ...of.usual, progress: null })).toBe("10m 00s to go");
		expect([toGoText(of.new), toGoRange(of.new)]).toEqual(["", ""]);
	});
	it("is as usual, or lacks runs to say so", () =>
		expect([of.usual, of.slow, of.new, { usual: "not begun" as const, runs_missing: null }].map(usualText)).toEqual(["as usual", "not as usual", "needs 2 more runs", "not begun"]));
});

describe("what is not as usual", () => {
	it("is a figure beside what is typical", () => expect(typicalText(unusual)).toBe("1m 30s, typically 50.0 s to 1m 10s, by 12 runs"));
	it("is never more sure than it is", () => expect([1, 0.9999, 0.9987, null].map(sureText)).toEqual(["99.9 % sure", "99.9 % sure", "99.8 % sure", ""]));
});
