// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { Times } from "../src/lib/model";
import { barOf, breakdown, coverageOf, largestWait, linesOf, STATES, waitText, WALLS } from "../src/lib/states";

const NONE = {
	...Object.fromEntries(STATES.filter(({ key }) => key !== "unexplained").map(({ key }) => [`${key}_ns`, 0])),
	...{ threads_ns: 0, disk_shared_ns: 0, disk_fuse_ns: 0, poll_network_ns: 0, poll_pipe_ns: 0, poll_timer_ns: 0 },
} as Times;
/** Times that explain the threads' lives, unless threads_ns is given. */
function times(own: Partial<Times>): Times {
	const all = { ...NONE, ...own };
	const sum = STATES.reduce((ns, { key }) => ns + (key === "unexplained" ? 0 : (all[`${key}_ns`] ?? 0)), 0);
	return { ...all, threads_ns: own.threads_ns ?? sum };
}
const shown = (own: Partial<Times>, whole = false) =>
	breakdown(times(own), whole)?.slices.map((one) => [one.state.key, one.share]) ?? null;
const aside = (own: Partial<Times>) => breakdown(times(own))?.aside.map((one) => one.state.key);

describe("a bar", () => {
	it("has a slice for each state that occurred, always in the same order, and they fill it", () => {
		expect(shown({ pipe_read_ns: 1, disk_ns: 1, user_ns: 2 })).toEqual([["user", 0.5], ["disk", 0.25], ["pipe_read", 0.25]]);
		const each = Object.fromEntries(STATES.map(({ key }, n) => [`${key}_ns`, n + 1]));
		const slices = breakdown(times(each), true)?.slices ?? [];
		expect(slices.map((one) => one.state.key)).toEqual(STATES.map((one) => one.key).filter((key) => key !== "unexplained"));
		expect(slices.reduce((sum, one) => sum + one.share, 0)).toBeCloseTo(1, 12);
	});
	it("is unknown, not empty, where the threads' lives were not counted", () => {
		expect(breakdown(times({ user_ns: 5, threads_ns: 0 }))).toBeNull();
		expect(waitText(times({ disk_ns: 5, threads_ns: 0 }), true)).toBe("");
	});
	it("leaves out what its children do, and sleep beside work, and names them", () => {
		const engine = { user_ns: 1, disk_ns: 1, child_ns: 1000, sleep_ns: 2 };
		expect(shown(engine)).toEqual([["user", 0.5], ["disk", 0.5]]);
		expect(aside(engine)).toEqual(["child", "sleep"]);
		expect(shown(engine, true)?.map(([key]) => key)).toEqual(["user", "disk", "child", "sleep"]);
	});
	it("shows sleep that is more than all the rest", () => {
		expect(shown({ user_ns: 1, sleep_ns: 3, child_ns: 9 })).toEqual([["user", 0.25], ["sleep", 0.75]]);
		expect(aside({ user_ns: 1, sleep_ns: 3, child_ns: 9 })).toEqual(["child"]);
		expect(shown({ sleep_ns: 3 })).toEqual([["sleep", 1]]);
	});
	it("of a process that only waited for its children is empty", () => {
		expect(shown({ child_ns: 9 })).toEqual([]);
		expect(breakdown(times({ child_ns: 9 }))?.shown_ns).toBe(0);
	});
	it("shows what no state explains, from 2 % on", () => {
		expect(coverageOf(times({ user_ns: 90, threads_ns: 100 }))).toBe(0.9);
		expect(shown({ user_ns: 90, threads_ns: 100 })).toEqual([["user", 0.9], ["unexplained", 0.1]]);
		expect(shown({ user_ns: 98, threads_ns: 100 })).toEqual([["user", 1]]);
		expect(shown({ user_ns: 103, threads_ns: 100 })).toEqual([["user", 1]]);
	});
});

describe("a bar of wall time", () => {
	it("shows every class, idle ones too, and what is not known of it", () => {
		const each = Object.fromEntries(WALLS.map(({ key }) => [`${key}_ns`, 2]));
		const known = barOf(times({ ...each, user_ns: 9 }), false);
		expect(known?.slices.map((one) => [one.state.key, one.share])).toEqual(WALLS.map(({ key }) => [key, 1 / WALLS.length]));
		expect([known?.wall, known?.shown_ns, known?.aside]).toEqual([true, 2 * WALLS.length, []]);
	});
	it("has no slice for what clocks differ by", () => {
		const known = barOf(times({ wall_computing_ns: 5e9, wall_unknown_ns: 4e3 }), false);
		expect(known?.slices.map((one) => one.state.key)).toEqual(["wall_computing"]);
	});
	it("gives way to the time of threads where that is asked for, and where no class is known", () => {
		const own = times({ user_ns: 9, child_ns: 1, wall_child_ns: 5 });
		expect(barOf(own, false)?.slices.map((one) => one.state.key)).toEqual(["wall_child"]);
		expect(barOf(own, true)).toEqual(breakdown(own));
		expect(barOf(own, true, true)).toEqual(breakdown(own, true));
		expect(barOf(times({ user_ns: 9, wall_unknown_ns: 7 }), false)?.slices.map((one) => one.state.key)).toEqual(["user"]);
		expect(barOf(times({ user_ns: 9, wall_computing_ns: null as never, wall_unknown_ns: null }), false)?.wall).toBe(false);
		expect(barOf(times({ wall_unknown_ns: 7 }), false)).toBeNull();
	});
	it("says how much of the computing was on one CPU, and what may be in a wrong class, from 2 % on", () => {
		const own = { wall_computing_ns: 3e9, wall_serial_ns: 2e9, wall_disk_ns: 1e9, wall_assumed_ns: 1e8 };
		expect(linesOf(barOf(times(own), false)!)).toEqual([
			"computing 3.00 s (75.0 %), of it 2.00 s on one CPU",
			"reading or writing disk 1.00 s (25.0 %)",
			"may be off by up to 100 ms",
		]);
		expect(linesOf(barOf(times({ ...own, wall_assumed_ns: 8e7 }), false)!)).toHaveLength(2);
	});
});

describe("what it waits for mostly", () => {
	it("is the largest class of wall time that is a wait", () => {
		const own = times({ lock_ns: 99, wall_computing_ns: 70, wall_lock_ns: 10, wall_child_ns: 20, wall_unknown_ns: 30 });
		expect(waitText(own, false)).toBe("child 15.4 %");
		expect(waitText(own, true)).toBe("locks 100 %");
		expect(largestWait(times({ lock_ns: 99, wall_computing_ns: 70 }), false)).toBeNull();
	});
	it("is the largest wait, and never work", () => {
		expect(waitText(times({ user_ns: 50, disk_ns: 43, pipe_write_ns: 7 }), false)).toBe("disk 43.0 %");
		expect(waitText(times({ user_ns: 60, runnable_ns: 40 }), false)).toBe("a CPU 40.0 %");
		expect(largestWait(times({ user_ns: 50, kernel_ns: 50 }), false)).toBeNull();
	});
	it("is sleep only where it slept longer than it did all else", () => {
		expect(waitText(times({ user_ns: 50, disk_ns: 10, sleep_ns: 59 }), false)).toBe("disk 16.7 %");
		expect(waitText(times({ user_ns: 50, disk_ns: 10, sleep_ns: 240 }), false)).toBe("sleeping 80.0 %");
	});
});

describe("in words", () => {
	it("say what ended a wait for events, where that is known", () => {
		const known = breakdown(times({ poll_ns: 9e8, poll_network_ns: 5e8, poll_timer_ns: 1e8 }));
		expect(known?.slices[0]?.note).toBe("of it 500 ms for the network, 100 ms for a timer");
		expect(breakdown(times({ poll_ns: 9e8 }))?.slices[0]?.note).toBe("");
	});
	it("every state has its time and share, the rest is separate", () => {
		const known = breakdown(times({ user_ns: 1.5e9, disk_ns: 5e8, disk_shared_ns: 2e8, child_ns: 3e9, threads_ns: 6e9 }));
		expect(linesOf(known as NonNullable<typeof known>)).toEqual([
			"computing 1.50 s (50.0 %)",
			"disk 500 ms (16.7 %), of it 200 ms on network file systems",
			"not explained 1.00 s (33.3 %)",
			"besides:",
			"children 3.00 s",
			"83.3 % of the threads' time is explained",
		]);
	});
});
