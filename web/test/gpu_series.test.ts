// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { gpuCurves, throttledOf } from "../src/charts/gpu_series";
import type { GpuSample } from "../src/lib/model_host";

const at = (s: number) => new Date(Date.UTC(2026, 10, 21) + s * 1000).toISOString();
const start = Date.UTC(2026, 10, 21) / 1000;
const sample = (s: number, own: Partial<GpuSample>): GpuSample =>
	({ uuid: "a", since_at: at(s), until_at: at(s + 5), sample_s: 5, busy_ns: null, busy_known_ns: 0, memory_used_bytes: null, power_mean_mw: null,
		throttled_ns: null, throttled_known_ns: 0, throttle_reasons: [], tracked_busy_ns: 0, tracked_memory_bytes: 0, ...own }) as GpuSample;

describe("the curves of a GPU", () => {
	it("are shares of the time that the driver reported, separate for tracked work", () => {
		const drawn = gpuCurves([sample(0, { busy_ns: 3e9, busy_known_ns: 4e9, tracked_busy_ns: 2.5e9 })]);
		expect(drawn.times).toEqual([start, start + 5]);
		expect(drawn.tracked).toEqual([0.5, 0.5]);
		expect(drawn.other).toEqual([0.25, 0.25]);
	});
	it("never show more tracked work than there was work", () => {
		const drawn = gpuCurves([sample(0, { busy_ns: 1e9, busy_known_ns: 5e9, tracked_busy_ns: 4e9, memory_used_bytes: 10, tracked_memory_bytes: 30 })]);
		expect([drawn.tracked[0], drawn.other[0]]).toEqual([0.2, 0]);
		expect([drawn.memoryTracked[0], drawn.memoryOther[0]]).toEqual([10, 0]);
	});
	it("have a gap where the driver did not report, and where samples are missing", () => {
		const drawn = gpuCurves([sample(60, { power_mean_mw: 300000 }), sample(0, { power_mean_mw: 250500 })]);
		expect(drawn.times).toEqual([start, start + 5, start + 60, start + 65]);
		expect(drawn.watts).toEqual([250.5, null, 300, 300]);
		expect(drawn.tracked).toEqual([null, null, null, null]);
	});
	it("are none without samples", () => expect(gpuCurves([]).times).toEqual([]));
});

describe("what held it back", () => {
	it("is the share of the reported time, with each reason once", () => {
		const samples = [
			sample(0, { throttled_ns: 1e9, throttled_known_ns: 5e9, throttle_reasons: ["power_cap"] }),
			sample(5, { throttled_ns: 0, throttled_known_ns: 5e9 }),
			sample(10, { throttled_ns: 1e9, throttled_known_ns: 10e9, throttle_reasons: ["hard_thermal", "power_cap"] }),
		];
		expect(throttledOf(samples)).toEqual({ share: 0.1, reasons: ["hard_thermal", "power_cap"] });
	});
	it("is null where it never was, or was not reported", () => {
		expect(throttledOf([sample(0, { throttled_ns: 0, throttled_known_ns: 5e9 })])).toBeNull();
		expect(throttledOf([sample(0, {})])).toBeNull();
	});
});
