// SPDX-License-Identifier: Apache-2.0
import { instant } from "../lib/format";
import type { GpuSample } from "../lib/model_host";

// What a GPU did over time, as curves. Pure.

type Values = (number | null)[];

export interface GpuCurves {
	/** In seconds since 1970; the last closes the last interval. */
	times: number[];
	/** Shares of the time: used by tracked work, and by other work. */
	tracked: Values;
	other: Values;
	memoryTracked: Values;
	memoryOther: Values;
	watts: Values;
}

const known = (n: number | null | undefined): n is number => typeof n === "number" && Number.isFinite(n);

/** Limits the share of tracked work to the total share, which comes from another counter. */
function split(whole: number | null, tracked: number): [number | null, number | null] {
	if (whole === null) return [null, null];
	const own = Math.min(whole, Math.max(0, tracked));
	return [own, whole - own];
}

function push(curves: GpuCurves, at: number, sample: GpuSample | null): void {
	const busy = sample && known(sample.busy_ns) && sample.busy_known_ns > 0 ? sample.busy_ns / sample.busy_known_ns : null;
	const seen = sample && sample.sample_s > 0 ? sample.sample_s * 1e9 : 1;
	const [tracked, other] = split(busy, (sample?.tracked_busy_ns ?? 0) / seen);
	const used = sample && known(sample.memory_used_bytes) ? sample.memory_used_bytes : null;
	const [memoryTracked, memoryOther] = split(used, sample?.tracked_memory_bytes ?? 0);
	curves.times.push(at);
	curves.tracked.push(tracked);
	curves.other.push(other);
	curves.memoryTracked.push(memoryTracked);
	curves.memoryOther.push(memoryOther);
	curves.watts.push(sample && known(sample.power_mean_mw) ? sample.power_mean_mw / 1000 : null);
}

/** The curves of the samples of one GPU, with gaps where samples are missing. */
export function gpuCurves(samples: readonly GpuSample[]): GpuCurves {
	const curves: GpuCurves = { times: [], tracked: [], other: [], memoryTracked: [], memoryOther: [], watts: [] };
	let last: { at: number; sample: GpuSample } | null = null;
	for (const sample of [...samples].sort((a, b) => (instant(a.since_at) ?? 0) - (instant(b.since_at) ?? 0))) {
		const since = instant(sample.since_at);
		const until = instant(sample.until_at);
		if (since === null || until === null || until <= since) continue;
		if (last !== null && since - last.at > 3 * (until - since)) push(curves, last.at / 1000, null);
		push(curves, since / 1000, sample);
		last = { at: until, sample };
	}
	if (last !== null) push(curves, last.at / 1000, last.sample);
	return curves;
}

export interface Throttled {
	/** As a share of the time for which the driver reported it. */
	share: number;
	reasons: string[];
}

/** The share of its time in which the GPU was throttled, and why; null: never, or not reported. */
export function throttledOf(samples: readonly GpuSample[]): Throttled | null {
	const sum = (key: "throttled_ns" | "throttled_known_ns") => samples.reduce((all, sample) => all + (sample[key] ?? 0), 0);
	const ns = sum("throttled_ns");
	if (ns <= 0 || sum("throttled_known_ns") <= 0) return null;
	return { share: ns / sum("throttled_known_ns"), reasons: [...new Set(samples.flatMap((sample) => sample.throttle_reasons))].sort() };
}
