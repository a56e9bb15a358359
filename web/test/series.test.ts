// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { Sample, ShareSample } from "../src/lib/model";
import type { HostSample } from "../src/lib/model_host";
import { cpuOf, curves, gridOf, hostCurves, kindCurves, memoryOf, OTHERS, stacked, stateCurves } from "../src/charts/series";

const at = (s: number) => new Date(Date.UTC(2026, 10, 21) + s * 1000).toISOString();
const sample = (key: string, s: number, cpu: number, rss = 0): Sample =>
	({ at: at(s), key, user_ns: cpu * 1e9, kernel_ns: 0, runnable_ns: 0, rss_bytes: rss, disk_read_bytes: 0, disk_write_bytes: 0 }) as Sample;

describe("curves", () => {
	it("are rates over equal intervals, the largest first, 0 where there is no sample", () => {
		const list = { interval_s: 5, samples: [sample("a", 0, 5), sample("b", 0, 10), sample("b", 10, 20)] };
		const drawn = curves(gridOf(list), cpuOf(5), 4);
		expect(drawn.times.length).toBe(4);
		expect(drawn.curves.map((curve) => [curve.key, curve.values])).toEqual([["b", [2, 0, 4]], ["a", [1, 0, 0]]]);
	});
	it("hold a level until the key's last sample", () => {
		const list = { interval_s: 1, samples: [sample("a", 0, 0, 7), sample("a", 2, 0, 9), sample("b", 4, 0, 1)] };
		expect(curves(gridOf(list), memoryOf(true), 4).curves[0]?.values).toEqual([7, 7, 9, 0, 0]);
	});
	it("or let it go where what bore it may have ended", () => {
		const list = { interval_s: 1, samples: [sample("a", 0, 0, 7), sample("a", 2, 0, 9)] };
		expect(curves(gridOf(list), memoryOf(false), 4).curves[0]?.values).toEqual([7, 0, 9]);
	});
	it("put the small ones together", () => {
		const list = { interval_s: 1, samples: [1, 2, 3, 4, 5].map((n) => sample(`k${n}`, 0, n)) };
		const drawn = curves(gridOf(list), cpuOf(1), 2);
		expect(drawn.curves.map((curve) => curve.key)).toEqual(["k5", "k4", OTHERS]);
		expect(drawn.curves[2]?.values).toEqual([6]);
		expect(drawn.others).toBe(3);
	});
	it("hold the levels of each key before keys are put together", () => {
		const list = { interval_s: 1, samples: [sample("t1", 0, 0, 5), sample("t2", 0, 0, 6), sample("t2", 1, 0, 7), sample("t1", 2, 0, 8)] };
		expect(curves(gridOf(list), memoryOf(true), 4, () => "step").curves).toEqual([{ key: "step", values: [11, 12, 8], total: 31 }]);
	});
	it("are none without samples", () => expect(curves(gridOf({ interval_s: 5, samples: [] }), memoryOf(true), 4).times).toEqual([]));
});

describe("memory by kind", () => {
	it("adds up to what is resident, and what was never sampled by kind stays apart", () => {
		const own = (key: string, s: number, rss: number, anon: number, swap: number): Sample =>
			({ ...sample(key, s, 0, rss), rss_anon_bytes: anon, rss_file_bytes: 0, rss_shmem_bytes: 0, swap_bytes: swap }) as Sample;
		const list = { interval_s: 1, samples: [own("a", 0, 7, 7, 2), own("b", 0, 3, 0, 0), own("a", 1, 5, 4, 0)] };
		expect(kindCurves(gridOf(list), false)).toEqual([
			{ name: "its own", values: [7, 4] },
			{ name: "of a kind that was not sampled", values: [3, 1] },
			{ name: "swapped out", values: [2, 0] },
		]);
	});
});

describe("states over time", () => {
	const own = (key: ShareSample["key"], s: number, ns: Partial<ShareSample>) => ({ at: at(s), key, ...ns }) as ShareSample;
	const drawn = (samples: ShareSample[], threads = false) =>
		stateCurves(gridOf({ interval_s: 2, samples }), threads).curves.map((one) => [one.state.key, one.values]);
	it("are how many threads were in each, without those that never occurred", () => {
		const samples = [own("tasks", 0, { user_ns: 4e9, disk_ns: 1e9 }), own("tasks", 2, { disk_ns: 4e9 })];
		expect(drawn(samples)).toEqual([["user", [2, 0]], ["disk", [0.5, 2]]]);
	});
	it("leave out the engine and the waiting for children", () => {
		expect(drawn([own("engine", 0, { lock_ns: 9e9 }), own("tasks", 0, { child_ns: 2e9, lock_ns: 2e9 })])).toEqual([["lock", [1]]]);
		expect(drawn([own("engine", 0, { user_ns: 2e9 })])).toEqual([["user", [1]]]);
	});
	it("are of processes where their wall time is known, unless threads are asked for", () => {
		const samples = [own("tasks", 0, { lock_ns: 8e9, wall_computing_ns: 1e9, wall_sleep_ns: 1e9, wall_child_ns: 2e9 }), own("tasks", 2, { wall_computing_ns: 2e9 })];
		expect(drawn(samples)).toEqual([["wall_computing", [0.5, 1]], ["wall_sleep", [0.5, 0]]]);
		expect(drawn(samples, true)).toEqual([["lock", [4, 0]]]);
		const engine = own("engine", 0, { wall_poll_ns: 2e9 });
		expect(drawn([...samples, engine])).toEqual(drawn(samples));
	});
});

describe("stacked", () => {
	it("adds from the bottom and closes the last interval", () => {
		expect(stacked([[1, 2], [10, 20]])).toEqual([[1, 2, 2], [11, 22, 22]]);
	});
});

describe("a host's curves", () => {
	const own = (s: number, busy: number, tracked: number): HostSample =>
		({ since_at: at(s), until_at: at(s + 1), cpu_user_ns: busy * 1e9, cpu_kernel_ns: 0, cpu_iowait_ns: 0, cpu_tracked_ns: tracked * 1e9, memory_used_bytes: 5 }) as HostSample;
	it("separate tracked work from the rest", () => {
		const drawn = hostCurves([own(0, 2, 0.5)]);
		expect([drawn.tracked, drawn.untracked]).toEqual([[0.5, 0.5], [1.5, 1.5]]);
	});
	it("have a gap where no sample came", () => {
		expect(hostCurves([own(0, 1, 1), own(60, 1, 1)]).tracked).toEqual([1, null, 1, 1]);
	});
});
